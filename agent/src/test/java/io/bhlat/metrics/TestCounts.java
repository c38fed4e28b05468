// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.ReadErrors;
import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.RunContext;
import io.bhlat.model.Snapshot;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Builds counts and plans for tests. */
final class TestCounts {

  static final Instant ATTACHED_AT = Instant.parse("2026-11-30T10:00:00Z");

  static final HostLabels HOST =
      new HostLabels(
          "6.1.0-28-amd64",
          "#1 SMP PREEMPT_DYNAMIC Debian",
          false,
          OptionalLong.of(1_700_000_000),
          "0.1.0");

  private final Map<Integer, WorkCounts[]> byCpu = new TreeMap<>();
  private final Map<WorkKey, LossCounts> lostAnywhere = new HashMap<>();
  private final Map<WorkClass, LossCounts> lostByClass = new HashMap<>();
  private final Map<FunctionKey, FunctionCounts> functions = new TreeMap<>();

  private final Map<String, ProgramRuns> programs = new TreeMap<>();

  /** A histogram of these latencies. */
  static LatencyHistogram histogram(long... latenciesNs) {
    long[] cells = new long[LatencyBuckets.CELLS];
    for (long latencyNs : latenciesNs) {
      cells[LatencyBuckets.cellOf(latencyNs)]++;
    }
    return LatencyHistogram.of(
        cells, Arrays.stream(latenciesNs).sum(), Arrays.stream(latenciesNs).max().orElse(0));
  }

  static FunctionKey function(WorkClass workClass, String name, String workqueue) {
    return new FunctionKey(workClass, name, Optional.of(workqueue).filter(n -> !n.isEmpty()));
  }

  /** What is told of the host that the tests run on, which calls itself by the labels above. */
  static HostMetrics hostMetrics() {
    return new HostMetrics(HOST, plan(), HostFiles.ofThisHost(), new ReadErrors());
  }

  /** A plan that measures everything but tasklets. */
  static ProbePlan plan() {
    return new ProbePlan(
        FastPoolMechanism.TIMER,
        List.of(
            planned(Measurement.FAST_POOL, State.ATTACHED, true, "timer_start"),
            planned(Measurement.WORKQUEUE, State.ATTACHED, true, "workqueue_execute_start"),
            new Planned(
                Measurement.TASKLET,
                State.MISSING,
                List.of(
                    new ProbeStatus(
                        new Probe(ProbeKind.RAW_TRACEPOINT, "tasklet_entry", "tasklet_entry"),
                        Optional.of("ENOENT; needs Linux 6.3 <or later>"))),
                false,
                List.of("This kernel has no tracepoint for tasklets.")),
            planned(Measurement.SOFTIRQ, State.ATTACHED, false, "softirq_entry"),
            planned(
                Measurement.INTERRUPT_RANDOMNESS,
                State.ATTACHED,
                false,
                "add_interrupt_randomness"),
            planned(Measurement.QUEUE_WORK_ON, State.ATTACHED, false, "queue_work_on")));
  }

  private static Planned planned(
      Measurement measurement, State state, boolean countsQueued, String target) {
    Probe probe = new Probe(ProbeKind.RAW_TRACEPOINT, target, target);
    return new Planned(
        measurement,
        state,
        List.of(new ProbeStatus(probe, Optional.empty())),
        countsQueued,
        List.of());
  }

  /** Adds to a CPU's counts. */
  TestCounts with(int cpu, WorkKey key, WorkCounts further) {
    WorkCounts[] counts =
        byCpu.computeIfAbsent(
            cpu,
            c -> {
              WorkCounts[] none = new WorkCounts[WorkKey.ALL.size()];
              Arrays.fill(none, WorkCounts.NONE);
              return none;
            });
    counts[key.index()] =
        counts[key.index()].plus(key.hasContexts() ? atIrqExit(further) : further);
    return this;
  }

  private static WorkCounts atIrqExit(WorkCounts counts) {
    return WorkCounts.byContext(
        counts.queued(),
        counts.lost(),
        Map.of(RunContext.IRQ_EXIT, counts.queueLatency()),
        counts.serviceTime());
  }

  /** Adds losses that cannot be told by CPU. */
  TestCounts withLost(WorkKey key, LossCounts lost) {
    lostAnywhere.merge(key, lost, LossCounts::plus);
    return this;
  }

  /** Adds losses that can be told by class only. */
  TestCounts withLost(WorkClass workClass, LossCounts lost) {
    lostByClass.merge(workClass, lost, LossCounts::plus);
    return this;
  }

  /** Adds to a function's counts. */
  TestCounts with(FunctionKey key, FunctionCounts further) {
    functions.merge(key, further, FunctionCounts::plus);
    return this;
  }

  /** Adds what a program cost. */
  TestCounts with(String program, ProgramRuns runs) {
    programs.put(program, runs);
    return this;
  }

  Counts build() {
    Map<Integer, List<WorkCounts>> lists = new TreeMap<>();
    byCpu.forEach((cpu, counts) -> lists.put(cpu, new ArrayList<>(List.of(counts))));
    return new Counts(lists, lostAnywhere, functions, CallCounts.NONE)
        .withLostByClass(lostByClass)
        .withPrograms(programs);
  }

  /** A snapshot of what was added so far, taken that long after attaching. */
  Snapshot snapshotAfter(Duration sinceAttached) {
    return new Snapshot(
        ATTACHED_AT.plus(sinceAttached), sinceAttached.toNanos(), ATTACHED_AT, build());
  }
}
