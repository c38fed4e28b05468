// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import java.util.LinkedHashMap;
import java.util.Map;

/** The constants of a BPF source that depend on the kernel and on what is asked for. */
final class BpfDefines {

  /** At least so many work items can run at once: a few kworkers a CPU, more when they sleep. */
  private static final int LEAST_RUNNING = 1_024;

  /** Function and workqueue pairs; beside those with an index of their own, those of "other". */
  private static final int FUNCTION_KEYS_PER_INDEX = 4;

  private BpfDefines() {}

  static Map<String, String> of(TraceOptions options, TraceTarget target) {
    Map<String, String> defines = new LinkedHashMap<>();
    MapSizes sizes = MapSizes.of(options, target);
    defines.put("MAX_CPUS", text(sizes.cpus()));
    defines.put("MAX_PENDING", text(options.maxPending()));
    defines.put("MAX_RUNNING", text(Math.max(LEAST_RUNNING, options.maxPending() / 2)));
    defines.put("WORKQUEUE_NAME_SIZE", text(sizes.workqueueNameBytes()));
    if (options.countFunctions()) {
      defines.put("COUNT_FUNCTIONS", "1");
      defines.put("FUNCTION_SHARDS", text(sizes.functionShards()));
      defines.put("FUNCTION_INDEXES", text(sizes.functionIndexes()));
      defines.put("MAX_FUNCTION_KEYS", text(FUNCTION_KEYS_PER_INDEX * sizes.functionIndexes()));
    }
    target
        .layout()
        .ifPresent(
            layout ->
                layout.defines().forEach((name, value) -> defines.put(name, value.toString())));
    target
        .flushBarrierFunction()
        .ifPresent(address -> defines.put("FLUSH_BARRIER_FUNCTION", address(address)));
    target
        .mixFunction()
        .ifPresent(
            address -> {
              defines.put("MIX_FUNCTION", address(address));
              for (FastPoolMechanism mechanism : FastPoolMechanism.values()) {
                if (target.mechanism().mayBe(mechanism)) {
                  defines.put("MIX_BY_" + mechanism.name(), "1");
                }
              }
            });
    if (target.executeEndArguments().orElse(2) < 2) {
      defines.put("EXECUTE_END_WITHOUT_FUNCTION", "1");
    }
    return defines;
  }

  private static String address(long address) {
    return "0x" + Long.toHexString(address) + "ULL";
  }

  private static String text(int number) {
    return Integer.toString(number);
  }
}
