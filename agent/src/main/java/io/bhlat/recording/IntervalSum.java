// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.kernel.CpuSet;
import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.InterruptKey;
import io.bhlat.model.Interval;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.QueueCallKey;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive frames summed up: what {@link io.bhlat.model.Snapshot#since} would have given of the
 * snapshots at both ends. Used by one thread.
 */
public final class IntervalSum {

  private final Map<Integer, WorkGrowth.@Nullable Sum[]> byCpu = new HashMap<>();
  private final Map<WorkKey, LossCounts> lostAnywhere = new HashMap<>();
  private final Map<WorkClass, LossCounts> lostByClass = new HashMap<>();
  private final HistogramSums<FunctionKey> queueLatencies = new HistogramSums<>();
  private final HistogramSums<FunctionKey> serviceTimes = new HistogramSums<>();
  private final HistogramSums<Integer> timeInInterrupt = new HistogramSums<>();
  private final TreeMap<InterruptKey, InterruptCalls> interrupts = new TreeMap<>();
  private final TreeMap<QueueCallKey, Long> queueWorkOn = new TreeMap<>();
  private final TreeMap<String, ProgramRuns> programs = new TreeMap<>();
  private Optional<Moment> from = Optional.empty();
  private Moment to = new Moment(java.time.Instant.EPOCH, 0);
  private CpuSet cpus = CpuSet.of();
  private CpuSet timedCpus = CpuSet.of();
  private int frames;

  /** Nothing yet. */
  public IntervalSum() {}

  /** Adds the frame that follows the one added last. */
  public void add(RecordedInterval frame) {
    Growth growth = frame.growth();
    frames++;
    if (from.isEmpty()) {
      from = Optional.of(growth.from());
    }
    to = growth.to();
    cpus = growth.cpus();
    timedCpus = growth.timedCpus();
    growth.byCpu().forEach(this::addCpu);
    growth.lostAnywhere().forEach((key, lost) -> lostAnywhere.merge(key, lost, LossCounts::plus));
    growth.lostByClass().forEach((key, lost) -> lostByClass.merge(key, lost, LossCounts::plus));
    for (FunctionGrowth function : growth.functions()) {
      queueLatencies.add(function.key(), function.queueLatency());
      serviceTimes.add(function.key(), function.serviceTime());
    }
    growth.timeInInterrupt().forEach((cpu, time) -> timeInInterrupt.add(cpu, Optional.of(time)));
    growth.interrupts().forEach((key, calls) -> interrupts.merge(key, calls, InterruptCalls::plus));
    growth.queueWorkOn().forEach((key, calls) -> queueWorkOn.merge(key, calls, Long::sum));
    growth.programs().forEach((name, runs) -> programs.merge(name, runs, ProgramRuns::plus));
  }

  private void addCpu(int cpu, List<WorkGrowth> keys) {
    WorkGrowth.@Nullable Sum[] sums =
        byCpu.computeIfAbsent(cpu, c -> new WorkGrowth.@Nullable Sum[WorkKey.ALL.size()]);
    for (WorkGrowth growth : keys) {
      int index = growth.key().index();
      WorkGrowth.Sum sum = sums[index];
      if (sum == null) {
        sum = new WorkGrowth.Sum();
        sums[index] = sum;
      }
      sum.add(growth);
    }
  }

  /** How many frames were added. */
  public int frames() {
    return frames;
  }

  /** Monotonic time from the beginning of the first frame to the end of the last. */
  public long durationNs() {
    return from.map(moment -> to.ns() - moment.ns()).orElse(0L);
  }

  /**
   * The sum.
   *
   * @throws IllegalStateException if no frame was added
   */
  public Interval interval() {
    Moment first = from.orElseThrow(() -> new IllegalStateException("the sum of no frame"));
    return new Interval(first.wall(), to.wall(), to.ns() - first.ns(), counts());
  }

  private Counts counts() {
    Map<Integer, List<WorkCounts>> work = new TreeMap<>();
    cpus.stream().forEach(cpu -> work.put(cpu, ofCpu(cpu)));
    Map<FunctionKey, FunctionCounts> functions = new TreeMap<>();
    queueLatencies
        .all()
        .forEach(
            (key, queue) -> functions.put(key, new FunctionCounts(queue, LatencyHistogram.EMPTY)));
    serviceTimes
        .all()
        .forEach(
            (key, service) ->
                functions.put(key, new FunctionCounts(queueLatencies.of(key), service)));
    TreeMap<Integer, LatencyHistogram> times = new TreeMap<>();
    timedCpus.stream().forEach(cpu -> times.put(cpu, timeInInterrupt.of(cpu)));
    return new Counts(work, lostAnywhere, functions, new CallCounts(times, interrupts, queueWorkOn))
        .withLostByClass(lostByClass)
        .withPrograms(programs);
  }

  private List<WorkCounts> ofCpu(int cpu) {
    WorkCounts[] counts = new WorkCounts[WorkKey.ALL.size()];
    Arrays.fill(counts, WorkCounts.NONE);
    WorkGrowth.@Nullable Sum[] sums = byCpu.get(cpu);
    for (int index = 0; sums != null && index < counts.length; index++) {
      WorkGrowth.Sum sum = sums[index];
      if (sum != null) {
        counts[index] = sum.counts();
      }
    }
    return new ArrayList<>(Arrays.asList(counts));
  }
}
