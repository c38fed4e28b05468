// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.InterruptKey;
import io.bhlat.model.Interval;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.QueueCallKey;
import io.bhlat.model.RunContext;
import io.bhlat.model.SoftirqVector;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbePlan.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** What a two-CPU host with an InfiniBand card counts in 10 s of {@code qperf tcp_lat}. */
final class Example {

  static final ReportHeader HEADER =
      new ReportHeader(
          "ib-node-17", "6.1.0-28-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1", "0-1");

  private static final int SEED = 20221;
  private static final Instant FROM = Instant.parse("2026-11-30T12:15:49.120Z");

  private final Random random = new Random(SEED);
  private final Map<Integer, List<WorkCounts>> byCpu = new TreeMap<>();
  private final Map<WorkKey, LossCounts> lostAnywhere = new TreeMap<>(Example::compare);
  private final Map<WorkClass, LossCounts> lostByClass = new TreeMap<>();
  private final Map<FunctionKey, FunctionCounts> functions = new TreeMap<>();

  private Example() {
    for (int cpu = 0; cpu < 2; cpu++) {
      byCpu.put(cpu, new ArrayList<>(WorkKey.ALL.stream().map(key -> WorkCounts.NONE).toList()));
    }
  }

  /** Something of everything a report can show. */
  static Interval interval() {
    Example example = new Example();
    example.fastPool();
    example.workqueue();
    example.tasklets();
    example.softirqs();
    return example.build(calls());
  }

  /** The same host with nothing to do. */
  static Interval idle() {
    return new Example().build();
  }

  /** These latencies of the fast pool on CPU 0. */
  static Interval fastPoolOnly(long... latenciesNs) {
    Example example = new Example();
    int[] next = {0};
    LatencyHistogram queue = histogram(latenciesNs.length, () -> latenciesNs[next[0]++]);
    example.put(
        0,
        WorkKey.of(FastPoolMechanism.TIMER),
        latenciesNs.length,
        0,
        LossCounts.NONE,
        queue,
        LatencyHistogram.EMPTY);
    return example.build();
  }

  /** Everything attached. */
  static ProbePlan plan() {
    return new ProbePlan(
        FastPoolMechanism.TIMER,
        List.of(
            planned(Measurement.FAST_POOL, State.ATTACHED, true, "timer_start"),
            planned(Measurement.WORKQUEUE, State.ATTACHED, true, "workqueue_queue_work"),
            planned(Measurement.TASKLET, State.ATTACHED, true, "tasklet_entry"),
            planned(Measurement.SOFTIRQ, State.ATTACHED, true, "softirq_raise"),
            planned(
                Measurement.INTERRUPT_RANDOMNESS,
                State.ATTACHED,
                false,
                "add_interrupt_randomness"),
            planned(Measurement.QUEUE_WORK_ON, State.ATTACHED, false, "queue_work_on")));
  }

  /** The same on a kernel where functions cannot be probed. */
  static ProbePlan planOfTracepoints() {
    return new ProbePlan(
        FastPoolMechanism.TIMER,
        plan().measurements().stream()
            .map(
                planned ->
                    new Planned(
                        planned.measurement(),
                        planned.state(),
                        List.of(
                            new ProbeStatus(
                                new Probe(ProbeKind.RAW_TRACEPOINT, "some", "on_some"),
                                Optional.empty())),
                        planned.countsQueued(),
                        planned.notes()))
            .toList());
  }

  /** A kernel that hides its tasklets, and whose symbols are hidden too. */
  static ProbePlan incompletePlan() {
    Probe entry = new Probe(ProbeKind.RAW_TRACEPOINT, "tasklet_entry", "on_tasklet_entry");
    Planned tasklet =
        new Planned(
            Measurement.TASKLET,
            State.MISSING,
            List.of(
                new ProbeStatus(
                    entry, Optional.of("ENOENT; this kernel has no such tracepoint, 6.6 has it"))),
            false,
            List.of());
    Planned fastPool =
        planned(
            Measurement.FAST_POOL,
            State.PARTIAL,
            true,
            "timer_start",
            "The end of mixing has no tracepoint, so that service time is missing.");
    return new ProbePlan(
        FastPoolMechanism.TIMER,
        plan().measurements().stream()
            .map(
                planned ->
                    switch (planned.measurement()) {
                      case FAST_POOL -> fastPool;
                      case TASKLET -> tasklet;
                      default -> planned;
                    })
            .toList());
  }

  private static Planned planned(
      Measurement measurement, State state, boolean countsQueued, String target, String... notes) {
    boolean isFunction = measurement.workClasses().isEmpty();
    Probe probe =
        new Probe(isFunction ? ProbeKind.FENTRY : ProbeKind.RAW_TRACEPOINT, target, "on_" + target);
    return new Planned(
        measurement,
        state,
        List.of(new ProbeStatus(probe, Optional.empty())),
        countsQueued,
        List.of(notes));
  }

  private void fastPool() {
    for (int cpu = 0; cpu < 2; cpu++) {
      LatencyHistogram queue = histogram(210, () -> random.nextLong(30_000, 3_990_000));
      put(
          cpu,
          WorkKey.of(FastPoolMechanism.TIMER),
          210,
          0,
          LossCounts.NONE,
          queue,
          around(210, 2_600));
    }
  }

  private void workqueue() {
    WorkKey key = WorkKey.of(WorkClass.WORKQUEUE);
    LatencyHistogram quick = around(41_210, 6_400);
    LatencyHistogram slow = around(930, 480_000);
    LatencyHistogram served = around(42_140, 3_900);
    put(0, key, 42_203, 312, LossCounts.of(LossReason.CANCELLED, 58), quick.plus(slow), served);
    put(1, key, 18_020, 0, LossCounts.NONE, around(18_015, 5_900), around(18_015, 4_100));
    lostAnywhere.put(key, LossCounts.of(LossReason.AGED_OUT, 2));
    lostByClass.put(WorkClass.WORKQUEUE, LossCounts.of(LossReason.PROGRAM_SKIPPED, 3));
    function(WorkClass.WORKQUEUE, "ipoib_cm_rx_reap [ib_ipoib]", "ipoib_wq", 31_020, 5_100, 3_000);
    function(WorkClass.WORKQUEUE, "flush_to_ldisc", "events_unbound", 21_500, 6_600, 4_400);
    function(WorkClass.WORKQUEUE, "blk_mq_requeue_work", "kblockd", 5_050, 480_000, 8_100);
    function(WorkClass.WORKQUEUE, "vmstat_update", "mm_percpu_wq", 1_410, 9_800, 1_500);
    function(
        WorkClass.WORKQUEUE,
        "mlx4_ib_alias_guid_work_with_a_long_name [mlx4_ib]",
        "mlx4_ib_alias_guid_wq_port2",
        12,
        1_500_000,
        210_000);
    functions.put(
        FunctionKey.other(WorkClass.WORKQUEUE),
        new FunctionCounts(around(1_163, 7_000), around(1_163, 5_000)));
  }

  private void tasklets() {
    LatencyHistogram queue = around(88_400, 1_900);
    WorkKey key = WorkKey.of(WorkClass.TASKLET);
    put(0, key, 88_401, 0, LossCounts.NONE, queue, around(88_400, 1_100));
    functions.put(
        new FunctionKey(WorkClass.TASKLET, "mlx4_cq_tasklet_cb [mlx4_core]", Optional.empty()),
        new FunctionCounts(queue, around(88_400, 1_100)));
  }

  private void softirqs() {
    softirq(0, SoftirqVector.TIMER, 2_480, 1_150, 3_300);
    softirq(1, SoftirqVector.TIMER, 2_420, 1_200, 3_100);
    softirq(0, SoftirqVector.NET_RX, 412_000, 1_020, 9_700);
    softirq(1, SoftirqVector.NET_RX, 233, 1_400, 7_000);
    softirq(0, SoftirqVector.TASKLET, 88_000, 1_800, 1_500);
    softirq(0, SoftirqVector.SCHED, 1_200, 2_300, 4_100);
    softirq(1, SoftirqVector.RCU, 1_900, 3_200, 5_200);
    // A softirq that ksoftirqd had to run.
    put(
        1,
        WorkKey.of(SoftirqVector.RCU),
        3,
        0,
        LossCounts.of(LossReason.NO_START_SEEN, 1),
        histogram(3, () -> random.nextLong(9_000_000, 21_000_000)),
        LatencyHistogram.EMPTY);
  }

  private void softirq(int cpu, SoftirqVector vector, int count, long medianNs, long serviceNs) {
    LatencyHistogram queue = around(count, medianNs);
    put(cpu, WorkKey.of(vector), count, 0, LossCounts.NONE, queue, around(count, serviceNs));
  }

  private void function(
      WorkClass workClass, String name, String workqueue, int count, long queueNs, long serviceNs) {
    functions.put(
        new FunctionKey(workClass, name, Optional.of(workqueue)),
        new FunctionCounts(around(count, queueNs), around(count, serviceNs)));
  }

  private void put(
      int cpu,
      WorkKey key,
      long queued,
      long barriers,
      LossCounts lost,
      LatencyHistogram queue,
      LatencyHistogram service) {
    LatencyHistogram activation =
        key.workClass() == WorkClass.WORKQUEUE ? around(400, 130) : LatencyHistogram.EMPTY;
    List<WorkCounts> counts = byCpu.getOrDefault(cpu, List.of());
    counts.set(
        key.index(),
        counts
            .get(key.index())
            .plus(
                key.hasContexts()
                    ? WorkCounts.byContext(queued, lost, Map.of(contextOf(lost), queue), service)
                    : new WorkCounts(queued, barriers, lost, queue, activation, service)));
  }

  /** What ksoftirqd runs in this example is told by what it lost. */
  private static RunContext contextOf(LossCounts lost) {
    return lost.isNone() ? RunContext.IRQ_EXIT : RunContext.KSOFTIRQD;
  }

  private static CallCounts calls() {
    TreeMap<InterruptKey, InterruptCalls> interrupts = new TreeMap<>();
    interrupts.put(new InterruptKey(0, 27, "mlx4-1@0000:03:00.0"), new InterruptCalls(13_120, 205));
    interrupts.put(new InterruptKey(1, 28, "mlx4-2@0000:03:00.0"), new InterruptCalls(13_340, 208));
    interrupts.put(new InterruptKey(0, 9, "acpi"), new InterruptCalls(3, 0));
    TreeMap<QueueCallKey, Long> queueWorkOn = new TreeMap<>();
    queueWorkOn.put(new QueueCallKey(0, 0, true), 31_020L);
    queueWorkOn.put(new QueueCallKey(0, 0, false), 412L);
    queueWorkOn.put(new QueueCallKey(0, 1, true), 7L);
    queueWorkOn.put(new QueueCallKey(1, QueueCallKey.UNBOUND, true), 21_500L);
    Example of = new Example();
    TreeMap<Integer, LatencyHistogram> times = new TreeMap<>();
    times.put(0, of.around(13_123, 310));
    times.put(1, of.around(13_340, 320));
    return new CallCounts(times, interrupts, queueWorkOn);
  }

  private Interval build() {
    return build(CallCounts.NONE);
  }

  private Interval build(CallCounts calls) {
    return new Interval(
        FROM,
        FROM.plusMillis(10_000),
        10_000_412_345L,
        new Counts(byCpu, lostAnywhere, functions, calls).withLostByClass(lostByClass));
  }

  /** Latencies around a median, with the long tail that they have in practice. */
  private LatencyHistogram around(int count, long medianNs) {
    return histogram(count, () -> (long) (medianNs * Math.exp(random.nextGaussian() * 0.55)));
  }

  static LatencyHistogram histogram(int count, LongSupplier latencyNs) {
    long[] cells = new long[LatencyBuckets.CELLS];
    long sumNs = 0;
    long maxNs = 0;
    for (int n = 0; n < count; n++) {
      long latency = latencyNs.getAsLong();
      cells[LatencyBuckets.cellOf(latency)]++;
      sumNs += latency;
      maxNs = Math.max(maxNs, latency);
    }
    return LatencyHistogram.of(cells, sumNs, maxNs);
  }

  private static int compare(WorkKey a, WorkKey b) {
    return Integer.compare(a.index(), b.index());
  }
}
