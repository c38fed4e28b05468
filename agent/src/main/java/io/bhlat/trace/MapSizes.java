// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.LayoutField;
import io.bhlat.model.WorkClass;
import java.util.Arrays;

/**
 * How large the kernel's maps are: all memory that tracing takes there, allocated when it starts.
 *
 * @param cpus CPU numbers that can occur
 * @param functionShards groups of CPUs that count functions together, a power of two; 0 when
 *     functions are not counted
 * @param functionIndexes functions with counts of their own, and one "other" a class
 * @param workqueueNameBytes length of a workqueue's name in this kernel
 */
public record MapSizes(int cpus, int functionShards, int functionIndexes, int workqueueNameBytes) {

  /** Memory for functions does not grow beyond these many CPUs. */
  private static final int MAX_FUNCTION_SHARDS = 8;

  private static final int DEFAULT_WORKQUEUE_NAME_BYTES = 24;

  static MapSizes of(TraceOptions options, TraceTarget target) {
    int cpus = target.possibleCpus().max() + 1;
    int others = (int) Arrays.stream(WorkClass.values()).filter(WorkClass::hasFunctions).count();
    return new MapSizes(
        cpus,
        options.countFunctions() ? functionShards(cpus) : 0,
        options.trackedFunctions() + others,
        target.layout().stream()
            .flatMapToInt(layout -> layout.bytes(LayoutField.WORKQUEUE_STRUCT_NAME_LENGTH).stream())
            .findFirst()
            .orElse(DEFAULT_WORKQUEUE_NAME_BYTES));
  }

  /** The smallest power of two that is not below the CPUs, up to the limit. */
  private static int functionShards(int cpus) {
    int shards = 1;
    while (shards < cpus && shards < MAX_FUNCTION_SHARDS) {
      shards *= 2;
    }
    return shards;
  }
}
