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

  /** Pairs of CPU and interrupt: a large host has some thousands of interrupts, most on one CPU. */
  private static final int MAX_INTERRUPTS = 8_192;

  private static final int MAX_QUEUE_CALLS = 16_384;

  /** Calls under way at once: a few a CPU, since the function runs with interrupts off. */
  private static final int MAX_QUEUE_CALLS_INSIDE = 1_024;

  private BpfDefines() {}

  /** Every pair of CPUs, or unbound, with either result, as far as that is not absurd. */
  private static int queueCalls(int cpus) {
    return (int) Math.min(MAX_QUEUE_CALLS, 2L * cpus * (cpus + 1));
  }

  static Map<String, String> of(TraceOptions options, TraceTarget target) {
    Map<String, String> defines = new LinkedHashMap<>();
    MapSizes sizes = MapSizes.of(options, target);
    defines.put("MAX_CPUS", text(sizes.cpus()));
    defines.put("MAX_PENDING", text(options.maxPending()));
    defines.put("MAX_RUNNING", text(Math.max(LEAST_RUNNING, options.maxPending() / 2)));
    defines.put("MAX_INTERRUPTS", text(MAX_INTERRUPTS));
    defines.put("MAX_QUEUE_CALLS_INSIDE", text(MAX_QUEUE_CALLS_INSIDE));
    defines.put("MAX_QUEUE_CALLS", text(queueCalls(sizes.cpus())));
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
    target.mixFunction().ifPresent(address -> defines.put("MIX_FUNCTION", address(address)));
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
