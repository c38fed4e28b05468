// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.RunContext;
import io.bhlat.model.SoftirqVector;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Makes metric families of one set of counts, those since attaching or those of an interval. Used
 * once; one thread.
 *
 * <p>A histogram is exported for every CPU that counted anything at all, as soon as any CPU counted
 * in that histogram: comparing CPUs then needs no guess about those that are absent. Counters are
 * exported for every class that is measured, from 0 on, so that rates are right from the start.
 */
final class CountsFamilies {

  private static final double NS_PER_SECOND = 1e9;

  private final Counts counts;
  private final ProbePlan plan;
  private final Instant created;
  private final List<Integer> cpus;
  private final Families families = new Families();

  /**
   * Keeps its arguments.
   *
   * @param created when the counts were 0
   */
  CountsFamilies(Counts counts, ProbePlan plan, Instant created) {
    this.counts = counts;
    this.plan = plan;
    this.created = created;
    this.cpus = counts.cpus().stream().filter(this::countedAnything).toList();
  }

  /**
   * All families that hold anything.
   *
   * @param functions the series by function
   */
  MetricSnapshots with(Map<FunctionKey, FunctionExport.Series> functions) {
    for (WorkKey key : WorkKey.ALL) {
      addLatency(key);
    }
    for (WorkClass workClass : WorkClass.values()) {
      addService(workClass);
    }
    functions.forEach(this::addFunction);
    for (WorkClass workClass : WorkClass.values()) {
      if (plan.measures(Measurement.of(workClass))) {
        addCounters(workClass);
      } else if (!counts.lostByClass(workClass).isNone()) {
        addLost(workClass, counts.lostByClass(workClass)); // of programs that only see its calls
      }
    }
    addCalls();
    addPrograms();
    return families.build();
  }

  private boolean countedAnything(int cpu) {
    return WorkKey.ALL.stream().anyMatch(key -> !counts.of(cpu, key).isNone());
  }

  private void addLatency(WorkKey key) {
    switch (key.workClass()) {
      case FAST_POOL ->
          addByContext(
              MetricNames.FAST_POOL_LATENCY,
              key,
              key.mechanism().map(FastPoolMechanism::label).orElseThrow());
      case SOFTIRQ -> addByContext(MetricNames.SOFTIRQ_LATENCY, key, vectorLabel(key));
      default -> {
        String label = key.workClass().label();
        addPerCpu(MetricNames.QUEUE_LATENCY, cpu -> of(cpu, key).queueLatency(), label);
        addPerCpu(MetricNames.ACTIVATION_LATENCY, cpu -> of(cpu, key).activationLatency(), label);
      }
    }
  }

  private void addByContext(MetricName name, WorkKey key, String label) {
    for (RunContext context : RunContext.values()) {
      addPerCpu(
          name,
          cpu -> of(cpu, key).queueLatencyIn().getOrDefault(context, LatencyHistogram.EMPTY),
          label,
          context.label());
    }
  }

  private void addService(WorkClass workClass) {
    if (workClass == WorkClass.SOFTIRQ) {
      for (SoftirqVector vector : SoftirqVector.values()) {
        WorkKey key = WorkKey.of(vector);
        addPerCpu(
            MetricNames.SOFTIRQ_SERVICE_TIME, cpu -> of(cpu, key).serviceTime(), vectorLabel(key));
      }
    } else {
      addPerCpu(
          MetricNames.SERVICE_TIME,
          cpu ->
              keys(workClass)
                  .map(key -> of(cpu, key).serviceTime())
                  .reduce(LatencyHistogram.EMPTY, LatencyHistogram::plus),
          workClass.label());
    }
  }

  private WorkCounts of(int cpu, WorkKey key) {
    return counts.of(cpu, key);
  }

  private static Stream<WorkKey> keys(WorkClass workClass) {
    return WorkKey.ALL.stream().filter(key -> key.workClass() == workClass);
  }

  private static String vectorLabel(WorkKey key) {
    return key.vector().map(SoftirqVector::label).orElseThrow();
  }

  /** A histogram a CPU; none where no CPU counted. */
  private void addPerCpu(
      MetricName name, IntFunction<LatencyHistogram> ofCpu, String... labelsAfterCpu) {
    Map<Integer, LatencyHistogram> latencies = new LinkedHashMap<>();
    cpus.forEach(cpu -> latencies.put(cpu, ofCpu.apply(cpu)));
    if (latencies.values().stream().allMatch(LatencyHistogram::isEmpty)) {
      return;
    }
    latencies.forEach(
        (cpu, latency) -> {
          String[] labels =
              Stream.concat(Stream.of(Integer.toString(cpu)), Stream.of(labelsAfterCpu))
                  .toArray(String[]::new);
          families.histogram(name, HistogramPoints.of(latency, name.labels(labels), created));
        });
  }

  private void addCalls() {
    CallCounts calls = counts.calls();
    calls
        .interrupts()
        .forEach(
            (key, interrupt) ->
                addCounter(
                    MetricNames.INTERRUPT_RANDOMNESS,
                    interrupt.calls(),
                    Integer.toString(key.cpu()),
                    key.irqLabel(),
                    key.device()));
    addPerCpu(
        MetricNames.INTERRUPT_RANDOMNESS_TIME,
        cpu -> calls.timeInInterrupt().getOrDefault(cpu, LatencyHistogram.EMPTY));
    calls.queueWorkOnByRequest().forEach(this::addQueueCalls);
  }

  private void addPrograms() {
    counts
        .programs()
        .forEach(
            (program, runs) -> {
              addCounter(MetricNames.PROGRAM_RUN_TIME, runs.runTimeNs() / NS_PER_SECOND, program);
              addCounter(MetricNames.PROGRAM_RUNS, runs.runs(), program);
            });
  }

  private void addQueueCalls(CallCounts.QueueRequest request, long count) {
    addCounter(
        MetricNames.QUEUE_WORK_ON,
        count,
        Integer.toString(request.cpu()),
        request.request().label(),
        request.resultLabel());
  }

  private void addFunction(FunctionKey key, FunctionExport.Series series) {
    String[] labels = {key.workClass().label(), key.function(), key.workqueue().orElse("")};
    families.histogram(
        MetricNames.FUNCTION_QUEUE_LATENCY,
        HistogramPoints.of(
            series.counts().queueLatency(),
            MetricNames.FUNCTION_QUEUE_LATENCY.labels(labels),
            series.created()));
    families.histogram(
        MetricNames.FUNCTION_SERVICE_TIME,
        HistogramPoints.of(
            series.counts().serviceTime(),
            MetricNames.FUNCTION_SERVICE_TIME.labels(labels),
            series.created()));
  }

  private void addCounters(WorkClass workClass) {
    String label = workClass.label();
    boolean countsQueued = plan.countsQueued(workClass);
    for (int cpu : cpus) {
      String cpuLabel = Integer.toString(cpu);
      if (countsQueued) {
        addCounter(MetricNames.QUEUED, sum(cpu, workClass, WorkCounts::queued), cpuLabel, label);
      }
      addCounter(MetricNames.STARTED, sum(cpu, workClass, WorkCounts::started), cpuLabel, label);
    }
    if (countsQueued) {
      families.gauge(
          MetricNames.PENDING, (double) pending(workClass), MetricNames.PENDING.labels(label));
    }
    if (workClass == WorkClass.WORKQUEUE || workClass == WorkClass.BH_WORKQUEUE) {
      addCounter(MetricNames.FLUSH_BARRIERS, sum(workClass, WorkCounts::flushBarriers), label);
    }
    addLost(workClass, lost(workClass));
  }

  /** As in {@link WorkCounts#pending}, without adding up histograms that nobody looks at. */
  private long pending(WorkClass workClass) {
    return sum(workClass, WorkCounts::queued)
        - sum(workClass, WorkCounts::started)
        - lost(workClass).total(LossReason.Side.QUEUED);
  }

  private LossCounts lost(WorkClass workClass) {
    LossCounts lost = counts.lostByClass(workClass);
    for (WorkKey key : keys(workClass).toList()) {
      lost = lost.plus(counts.lostAnywhere(key));
      for (int cpu : counts.cpus()) {
        lost = lost.plus(counts.of(cpu, key).lost());
      }
    }
    return lost;
  }

  private long sum(WorkClass workClass, ToLongFunction<WorkCounts> which) {
    return counts.cpus().stream().mapToLong(cpu -> sum(cpu, workClass, which)).sum();
  }

  private void addLost(WorkClass workClass, LossCounts lost) {
    for (LossReason reason : LossReason.values()) {
      addCounter(MetricNames.LOST_SAMPLES, lost.count(reason), workClass.label(), reason.label());
    }
  }

  private long sum(int cpu, WorkClass workClass, ToLongFunction<WorkCounts> which) {
    return keys(workClass).mapToLong(key -> which.applyAsLong(counts.of(cpu, key))).sum();
  }

  private void addCounter(MetricName name, long value, String... labels) {
    addCounter(name, (double) value, labels);
  }

  private void addCounter(MetricName name, double value, String... labels) {
    families.counter(
        name,
        CounterDataPointSnapshot.builder()
            .labels(name.labels(labels))
            .value(value)
            .createdTimestampMillis(created.toEpochMilli())
            .build());
  }
}
