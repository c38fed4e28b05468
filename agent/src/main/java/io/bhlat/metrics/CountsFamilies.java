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
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

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
  private final CpuLabels cpuLabels;
  private final CountsTable table;
  private final List<Integer> cpus;
  private final Families families = new Families();

  /**
   * Keeps its arguments.
   *
   * @param created when the counts were 0
   * @param cpuLabels of the scrape before, if there was one
   */
  CountsFamilies(Counts counts, ProbePlan plan, Instant created, CpuLabels cpuLabels) {
    this.counts = counts;
    this.plan = plan;
    this.created = created;
    this.cpuLabels = cpuLabels;
    this.table = new CountsTable(counts);
    // As the client sorts them by their labels: it sorts what is in order faster.
    this.cpus =
        counts.cpus().stream()
            .filter(table::countedAnything)
            .sorted(Comparator.comparing(cpu -> Integer.toString(cpu)))
            .toList();
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
              CountsTable.keys(workClass).stream()
                  .map(key -> of(cpu, key).serviceTime())
                  .reduce(LatencyHistogram.EMPTY, LatencyHistogram::plus),
          workClass.label());
    }
  }

  private WorkCounts of(int cpu, WorkKey key) {
    return table.of(cpu, key);
  }

  private static String vectorLabel(WorkKey key) {
    return key.vector().map(SoftirqVector::label).orElseThrow();
  }

  /** A histogram a CPU; none where no CPU counted. */
  private void addPerCpu(
      MetricName name, IntFunction<LatencyHistogram> ofCpu, String... labelsAfterCpu) {
    LatencyHistogram[] latencies = new LatencyHistogram[cpus.size()];
    boolean counted = false;
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = ofCpu.apply(cpus.get(i));
      counted |= !latencies[i].isEmpty();
    }
    if (!counted) {
      return;
    }
    IntFunction<Labels> labels = cpuLabels.of(name, labelsAfterCpu);
    for (int i = 0; i < latencies.length; i++) {
      families.histogram(
          name, HistogramPoints.of(latencies[i], labels.apply(cpus.get(i)), created));
    }
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
    addCounters(MetricNames.STARTED, cpu -> table.sum(cpu, workClass, WorkCounts::started), label);
    if (countsQueued) {
      addCounters(MetricNames.QUEUED, cpu -> table.sum(cpu, workClass, WorkCounts::queued), label);
      families.gauge(
          MetricNames.PENDING,
          (double) table.pending(workClass),
          MetricNames.PENDING.labels(label));
    }
    if (workClass == WorkClass.WORKQUEUE || workClass == WorkClass.BH_WORKQUEUE) {
      addCounter(
          MetricNames.FLUSH_BARRIERS, table.sum(workClass, WorkCounts::flushBarriers), label);
    }
    addLost(workClass, table.lost(workClass));
  }

  private void addLost(WorkClass workClass, LossCounts lost) {
    for (LossReason reason : LossReason.values()) {
      addCounter(MetricNames.LOST_SAMPLES, lost.count(reason), workClass.label(), reason.label());
    }
  }

  /** A counter a CPU. */
  private void addCounters(MetricName name, IntToLongFunction ofCpu, String... labelsAfterCpu) {
    IntFunction<Labels> labels = cpuLabels.of(name, labelsAfterCpu);
    for (int cpu : cpus) {
      addCounter(name, (double) ofCpu.applyAsLong(cpu), labels.apply(cpu));
    }
  }

  private void addCounter(MetricName name, long value, String... labels) {
    addCounter(name, (double) value, labels);
  }

  private void addCounter(MetricName name, double value, String... labels) {
    addCounter(name, value, name.labels(labels));
  }

  private void addCounter(MetricName name, double value, Labels labels) {
    families.counter(
        name,
        CounterDataPointSnapshot.builder()
            .labels(labels)
            .value(value)
            .createdTimestampMillis(created.toEpochMilli())
            .build());
  }
}
