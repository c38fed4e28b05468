// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LossReason;
import io.bhlat.model.SoftirqVector;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the numbers lie in the maps of bpf/layout.h. The constants enter the C source by {@link
 * #defines}, which asserts the offsets when it is compiled; sizes are checked when maps are opened.
 *
 * <pre>
 * latency_histogram (1984 bytes)          cpu_counts (65856 bytes)
 *    0  sum_ns                               0  softirq_state[10]     32 bytes each
 *    8  max_ns                             320  state of tasklets and of the fast pool
 *   16  cells[242]                         384  work_counts[15]      128 bytes each
 * 1952  unused                            2304  latency_histogram[32]
 *                                         65792 unused line
 * work_counts (128 bytes)
 *    0  queued                            function_counts (3968 bytes)
 *    8  flush_barriers                       0  queue_latency
 *   16  lost[10]                          1984  service_time
 * </pre>
 */
final class CountsLayout {

  static final int HISTOGRAM_BYTES = 1984;
  static final int HISTOGRAM_CELLS_OFFSET = 16;

  static final int WORK_COUNTS_BYTES = 128;
  static final int LOST_OFFSET = 16;

  static final int CPU_COUNTS_OFFSET = 384;
  static final int CPU_HISTOGRAMS_OFFSET = CPU_COUNTS_OFFSET + 15 * WORK_COUNTS_BYTES;
  static final int HISTOGRAMS = 32;
  static final int CPU_BYTES = CPU_HISTOGRAMS_OFFSET + HISTOGRAMS * HISTOGRAM_BYTES + 64;

  static final int FUNCTION_SERVICE_TIME_OFFSET = HISTOGRAM_BYTES;
  static final int FUNCTION_BYTES = 2 * HISTOGRAM_BYTES;

  static final int FUNCTION_KEY_BYTES = 16;
  static final int FUNCTION_WORKQUEUE_OFFSET = 8;

  static final int STAMP_KEY_BYTES = 8;
  static final int STAMP_BYTES = 24;
  static final int STAMP_KEY_OFFSET = 20;
  static final int STAMP_FAST_POOL_OFFSET = 21;

  static final int RUNNING_KEY_BYTES = 16;
  static final int RUNNING_BYTES = 16;

  static final int CALLBACK_KEY_BYTES = 8;
  static final int CALLBACK_BYTES = 8;
  static final int CALLBACK_STATE_OFFSET = 4;

  private static final int ACTIVATION_HISTOGRAMS = 2 * WorkKey.ALL.size();

  private CountsLayout() {}

  /** Position of a key's histogram of queue latencies. */
  static int queueHistogram(WorkKey key) {
    return 2 * key.index();
  }

  /** Position of a key's histogram of service times. */
  static int serviceHistogram(WorkKey key) {
    return 2 * key.index() + 1;
  }

  /** Whether a key has a histogram of activation latencies: threaded and BH work items. */
  static boolean hasActivation(WorkKey key) {
    return key.workClass() == WorkClass.WORKQUEUE || key.workClass() == WorkClass.BH_WORKQUEUE;
  }

  /** Position of a key's histogram of activation latencies. */
  static int activationHistogram(WorkKey key) {
    return ACTIVATION_HISTOGRAMS + key.index() - WorkKey.of(WorkClass.WORKQUEUE).index();
  }

  /** The index of function_counts where a class counts what has no index of its own. */
  static int otherIndex(WorkClass workClass) {
    return WorkKey.of(workClass).index() - WorkKey.of(WorkClass.WORKQUEUE).index();
  }

  /** Classes with functions, in the order of their "other" indexes. */
  static int otherIndexes() {
    return otherIndex(WorkClass.TASKLET) + 1;
  }

  /** The constants of bpf/layout.h and of the programs: C name to C expression. */
  static Map<String, String> defines() {
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("BUCKET_CELLS", text(LatencyBuckets.CELLS));
    defines.put("BUCKET_FIRST_INDEX", text(LatencyBuckets.FIRST_INDEX));
    defines.put(
        "BUCKET_UNDERFLOW_NS", LatencyBuckets.upperBoundNs(LatencyBuckets.UNDERFLOW_CELL) + "ULL");
    defines.put(
        "BUCKET_LARGEST_NS", LatencyBuckets.upperBoundNs(LatencyBuckets.OVERFLOW_CELL - 1) + "ULL");
    defines.put("KEYS", text(WorkKey.ALL.size()));
    for (WorkClass workClass : WorkClass.values()) {
      defines.put("KEY_" + workClass.name(), text(keyOf(workClass).index()));
    }
    defines.put("LOSS_REASONS", text(LossReason.values().length));
    for (LossReason reason : LossReason.values()) {
      defines.put("LOSS_" + reason.name(), text(reason.ordinal()));
    }
    defines.put("HISTOGRAMS", text(HISTOGRAMS));
    int firstWithFunctions = WorkKey.of(WorkClass.WORKQUEUE).index();
    defines.put("QUEUE_HISTOGRAM(key)", "(2*(key))");
    defines.put("SERVICE_HISTOGRAM(key)", "(2*(key)+1)");
    defines.put(
        "ACTIVATION_HISTOGRAM(key)",
        "(" + ACTIVATION_HISTOGRAMS + "+(key)-" + firstWithFunctions + ")");
    defines.put("OTHER_INDEX(key)", "((key)-" + firstWithFunctions + ")");
    defines.put("LAYOUT_HISTOGRAM_CELLS", text(HISTOGRAM_CELLS_OFFSET));
    defines.put("LAYOUT_COUNTS_LOST", text(LOST_OFFSET));
    defines.put("LAYOUT_CPU_COUNTS", text(CPU_COUNTS_OFFSET));
    defines.put("LAYOUT_CPU_HISTOGRAMS", text(CPU_HISTOGRAMS_OFFSET));
    defines.put("LAYOUT_FUNCTION_SERVICE_TIME", text(FUNCTION_SERVICE_TIME_OFFSET));
    defines.put("LAYOUT_FUNCTION_WORKQUEUE", text(FUNCTION_WORKQUEUE_OFFSET));
    return defines;
  }

  private static WorkKey keyOf(WorkClass workClass) {
    return workClass == WorkClass.SOFTIRQ ? WorkKey.of(SoftirqVector.HI) : WorkKey.of(workClass);
  }

  private static String text(int number) {
    return Integer.toString(number);
  }
}
