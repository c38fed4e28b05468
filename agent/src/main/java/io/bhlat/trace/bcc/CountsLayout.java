// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.FastPoolMechanism;
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
 * latency_histogram (1984 bytes)          cpu_counts (153408 bytes)
 *    0  sum_ns                               0  softirq_state[10]     32 bytes each
 *    8  max_ns                             320  state of what runs
 *   16  cells[242]                         400  untold calls
 * 1952  unused                             448  work_counts[17]      128 bytes each
 * work_counts (128 bytes)                 2624  latency_histogram[76]
 *    0  queued
 *    8  flush_barriers                    function_counts (3968 bytes)
 *   16  lost[10]                             0  queue_latency
 *                                         1984  service_time
 *
 * histograms
 *    0  service time of each key
 *   17  activation latency of workqueue and bh_workqueue
 *   19  queue latency of workqueue, bh_workqueue, hi_tasklet, tasklet
 *   23  queue latency of the fast pool, by mechanism and context
 *   35  queue latency of softirqs, by vector and context
 *   75  time in add_interrupt_randomness
 * </pre>
 */
final class CountsLayout {

  static final int HISTOGRAM_BYTES = 1984;
  static final int HISTOGRAM_CELLS_OFFSET = 16;

  static final int WORK_COUNTS_BYTES = 128;
  static final int LOST_OFFSET = 16;

  static final int CPU_UNTOLD_INTERRUPTS_OFFSET = 400;
  static final int CPU_UNTOLD_QUEUE_CALLS_OFFSET = 416;
  static final int CPU_COUNTS_OFFSET = 448;
  static final int CPU_HISTOGRAMS_OFFSET = CPU_COUNTS_OFFSET + 17 * WORK_COUNTS_BYTES;

  /** What the kernel tells apart of what runs a softirq; a power of two. */
  static final int CONTEXTS = 4;

  /** Any task but the three below. */
  static final int CONTEXT_ANY_TASK = 0;

  static final int CONTEXT_KSOFTIRQD = 1;
  static final int CONTEXT_KTIMERS = 2;
  static final int CONTEXT_IRQ_THREAD = 3;

  private static final int FIRST_WITH_FUNCTIONS = WorkKey.of(WorkClass.WORKQUEUE).index();
  private static final int ACTIVATION_HISTOGRAMS = WorkKey.ALL.size();
  private static final int QUEUE_HISTOGRAMS = ACTIVATION_HISTOGRAMS + 2;
  private static final int FAST_POOL_HISTOGRAMS = QUEUE_HISTOGRAMS + 4;
  private static final int SOFTIRQ_HISTOGRAMS =
      FAST_POOL_HISTOGRAMS + CONTEXTS * FastPoolMechanism.DEFERRED.size();

  /** Position of the time that add_interrupt_randomness takes. */
  static final int RANDOMNESS_HISTOGRAM =
      SOFTIRQ_HISTOGRAMS + CONTEXTS * SoftirqVector.values().length;

  static final int HISTOGRAMS = RANDOMNESS_HISTOGRAM + 1;
  static final int CPU_BYTES = CPU_HISTOGRAMS_OFFSET + HISTOGRAMS * HISTOGRAM_BYTES;

  static final int INTERRUPT_KEY_BYTES = 8;
  static final int INTERRUPT_CALLS_BYTES = 16;
  static final int QUEUE_CALL_KEY_BYTES = 12;
  static final int QUEUE_CALLS_BYTES = 8;

  /** WORK_CPU_UNBOUND in a queue_call_key, whatever the kernel's number for it is. */
  static final int QUEUE_UNBOUND = -1;

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

  private CountsLayout() {}

  /** Position of a key's histogram of queue latencies, of those that have only one. */
  static int queueHistogram(WorkKey key) {
    return QUEUE_HISTOGRAMS + key.index() - FIRST_WITH_FUNCTIONS;
  }

  /** Position of a key's histogram of queue latencies in one of the {@link #CONTEXTS}. */
  static int queueHistogram(WorkKey key, int context) {
    int first =
        key.vector()
            .map(vector -> SOFTIRQ_HISTOGRAMS + CONTEXTS * vector.number())
            .orElse(FAST_POOL_HISTOGRAMS + CONTEXTS * key.index());
    return first + context;
  }

  /** Position of a key's histogram of service times. */
  static int serviceHistogram(WorkKey key) {
    return key.index();
  }

  /** Whether a key has a histogram of activation latencies: threaded and BH work items. */
  static boolean hasActivation(WorkKey key) {
    return key.workClass() == WorkClass.WORKQUEUE || key.workClass() == WorkClass.BH_WORKQUEUE;
  }

  /** Position of a key's histogram of activation latencies. */
  static int activationHistogram(WorkKey key) {
    return ACTIVATION_HISTOGRAMS + key.index() - FIRST_WITH_FUNCTIONS;
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
    for (WorkKey key : WorkKey.ALL) {
      defines.putIfAbsent("KEY_" + cName(key), text(key.index()));
    }
    defines.put("LOSS_REASONS", text(LossReason.values().length));
    for (LossReason reason : LossReason.values()) {
      defines.put("LOSS_" + reason.name(), text(reason.ordinal()));
    }
    defines.put("HISTOGRAMS", text(HISTOGRAMS));
    defines.put("SERVICE_HISTOGRAM(key)", "(key)");
    defines.put("ACTIVATION_HISTOGRAM(key)", position(ACTIVATION_HISTOGRAMS, "key"));
    defines.put("QUEUE_HISTOGRAM(key)", position(QUEUE_HISTOGRAMS, "key"));
    defines.put("FAST_POOL_HISTOGRAM(key,context)", inContext(FAST_POOL_HISTOGRAMS, "key"));
    defines.put("SOFTIRQ_HISTOGRAM(vector,context)", inContext(SOFTIRQ_HISTOGRAMS, "vector"));
    defines.put("RANDOMNESS_HISTOGRAM", text(RANDOMNESS_HISTOGRAM));
    defines.put("CONTEXTS", text(CONTEXTS));
    defines.put("CONTEXT_ANY_TASK", text(CONTEXT_ANY_TASK));
    defines.put("CONTEXT_KSOFTIRQD", text(CONTEXT_KSOFTIRQD));
    defines.put("CONTEXT_KTIMERS", text(CONTEXT_KTIMERS));
    defines.put("CONTEXT_IRQ_THREAD", text(CONTEXT_IRQ_THREAD));
    defines.put("QUEUE_UNBOUND", text(QUEUE_UNBOUND));
    defines.put("OTHER_INDEX(key)", "((key)-" + FIRST_WITH_FUNCTIONS + ")");
    defines.put("LAYOUT_HISTOGRAM_CELLS", text(HISTOGRAM_CELLS_OFFSET));
    defines.put("LAYOUT_COUNTS_LOST", text(LOST_OFFSET));
    defines.put("LAYOUT_CPU_UNTOLD_INTERRUPTS", text(CPU_UNTOLD_INTERRUPTS_OFFSET));
    defines.put("LAYOUT_CPU_UNTOLD_QUEUE_CALLS", text(CPU_UNTOLD_QUEUE_CALLS_OFFSET));
    defines.put("LAYOUT_CPU_COUNTS", text(CPU_COUNTS_OFFSET));
    defines.put("LAYOUT_CPU_HISTOGRAMS", text(CPU_HISTOGRAMS_OFFSET));
    defines.put("LAYOUT_FUNCTION_SERVICE_TIME", text(FUNCTION_SERVICE_TIME_OFFSET));
    defines.put("LAYOUT_FUNCTION_WORKQUEUE", text(FUNCTION_WORKQUEUE_OFFSET));
    return defines;
  }

  /** Softirqs are counted from the first vector's key on. */
  private static String cName(WorkKey key) {
    return key.workClass().name() + key.mechanism().map(m -> "_" + m.name()).orElse("");
  }

  private static String position(int histograms, String key) {
    return "(" + histograms + "+(" + key + ")-" + FIRST_WITH_FUNCTIONS + ")";
  }

  private static String inContext(int histograms, String of) {
    return "(" + histograms + "+" + CONTEXTS + "*(" + of + ")+(context))";
  }

  private static String text(int number) {
    return Integer.toString(number);
  }
}
