// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.InterruptKey;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.QueueCallKey;
import io.bhlat.model.RunContext;
import io.bhlat.model.Snapshot;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Counts that only grow, of every kind that there is, from a seeded generator. Values that did not
 * change are given again, as the readers of the real kernel do.
 */
final class SimulatedKernel {

  static final Instant ATTACHED_AT = Instant.parse("2026-11-30T10:00:00Z");

  private final Random random;
  private final Map<List<Object>, Histogram> histograms = new HashMap<>();
  private final Map<List<Object>, LossCounts> lost = new HashMap<>();
  private final Map<List<Object>, Long> counters = new HashMap<>();
  private final TreeMap<InterruptKey, InterruptCalls> interrupts = new TreeMap<>();
  private final TreeMap<QueueCallKey, Long> queueCalls = new TreeMap<>();
  private final TreeMap<String, ProgramRuns> programs = new TreeMap<>();
  private final Map<List<Object>, WorkCounts> work = new HashMap<>();
  private int cpus;
  private Instant wall = ATTACHED_AT;
  private long ns = 1_000;

  SimulatedKernel(long seed, int cpus) {
    this.random = new Random(seed);
    this.cpus = cpus;
  }

  /** One histogram as the kernel has it: the maximum may lag behind a cell, or run ahead. */
  private static final class Histogram {
    private final long[] cells = new long[LatencyBuckets.CELLS];
    private long sumNs;
    private long maxNs;
    private LatencyHistogram value = LatencyHistogram.EMPTY;
  }

  void cpuComes() {
    cpus++;
  }

  void clockIsSet(Duration by) {
    wall = wall.plus(by);
  }

  void pass(Duration time) {
    wall = wall.plus(time).plusNanos(random.nextInt(2_000) - 1_000);
    ns += time.toNanos();
  }

  /** Some of everything happens. */
  void happenAnything() {
    for (int cpu = 0; cpu < cpus; cpu++) {
      for (WorkKey key : WorkKey.ALL) {
        if (random.nextInt(3) == 0) {
          happen(cpu, key);
        }
      }
      count(List.of("irq", cpu), random.nextInt(3));
      callsFrom(cpu);
    }
    for (WorkKey key : WorkKey.ALL) {
      lose(List.of("anywhere", key));
    }
    for (WorkClass workClass : WorkClass.values()) {
      lose(List.of(workClass));
    }
    for (int i = 0; i < 5; i++) {
      programs.merge(
          "program_" + random.nextInt(9),
          new ProgramRuns(random.nextInt(3), random.nextInt(9_000)),
          ProgramRuns::plus);
      runFunction(random.nextInt(12), random.nextInt(20));
    }
  }

  private void happen(int cpu, WorkKey key) {
    work.remove(List.of(cpu, key));
    add(List.of("queued", cpu, key), random.nextInt(5));
    add(List.of("barriers", cpu, key), random.nextInt(2));
    lose(List.of(cpu, key));
    count(List.of("queue", cpu, key), random.nextInt(20));
    for (RunContext context : RunContext.values()) {
      if (random.nextInt(4) == 0) {
        count(List.of("in", cpu, key, context), random.nextInt(20));
      }
    }
    count(List.of("activation", cpu, key), random.nextInt(5));
    count(List.of("service", cpu, key), random.nextInt(20));
  }

  /** So many softirqs of one vector ran at the end of interrupts, about so long after the raise. */
  void run(int cpu, WorkKey key, int times, long aboutNs) {
    work.remove(List.of(cpu, key));
    add(List.of("queued", cpu, key), times);
    long seed = random.nextLong();
    count(List.of("in", cpu, key, RunContext.IRQ_EXIT), times, aboutNs, new Random(seed));
    count(List.of("queue", cpu, key), times, aboutNs, new Random(seed));
    count(List.of("service", cpu, key), times, 2 * aboutNs, random);
  }

  void runFunction(int number, int times) {
    for (String side : List.of("queue", "service")) {
      count(List.of("function", functionKey(number), side), times, 5_000, random);
    }
  }

  private static FunctionKey functionKey(int number) {
    return number == 0
        ? FunctionKey.other(WorkClass.WORKQUEUE)
        : new FunctionKey(
            number % 2 == 0 ? WorkClass.WORKQUEUE : WorkClass.TASKLET,
            "function_" + number + "_of_módule",
            number % 2 == 0 ? Optional.of("queue_" + number % 3) : Optional.empty());
  }

  private void callsFrom(int cpu) {
    interrupts.merge(
        new InterruptKey(cpu, random.nextInt(4) - 1, random.nextBoolean() ? "" : "mlx4-comp-1"),
        new InterruptCalls(random.nextInt(9), random.nextInt(2)),
        InterruptCalls::plus);
    queueCalls.merge(
        new QueueCallKey(cpu, random.nextInt(5) - 2, random.nextBoolean()),
        (long) random.nextInt(4),
        Long::sum);
  }

  private void add(List<Object> counter, long further) {
    counters.merge(counter, further, Long::sum);
  }

  private void lose(List<Object> place) {
    if (random.nextInt(4) == 0) {
      LossReason reason = LossReason.values()[random.nextInt(LossReason.values().length)];
      lost.merge(place, LossCounts.of(reason, random.nextInt(3)), LossCounts::plus);
    }
  }

  private void count(List<Object> place, int times) {
    count(place, times, (long) Math.pow(2, random.nextDouble() * 38), random);
  }

  private void count(List<Object> place, int times, long aboutNs, Random source) {
    Histogram histogram = histograms.computeIfAbsent(place, p -> new Histogram());
    for (int i = 0; i < times; i++) {
      long latencyNs = (long) (aboutNs * (0.5 + source.nextDouble()));
      histogram.cells[LatencyBuckets.cellOf(latencyNs)]++;
      histogram.sumNs += latencyNs;
      boolean late = source.nextInt(50) == 0;
      if (!late) {
        histogram.maxNs = Math.max(histogram.maxNs, latencyNs);
      }
    }
    if (times > 0) {
      histogram.value = LatencyHistogram.of(histogram.cells, histogram.sumNs, histogram.maxNs);
    }
  }

  private LatencyHistogram histogram(Object... place) {
    Histogram histogram = histograms.get(List.of(place));
    return histogram == null ? LatencyHistogram.EMPTY : histogram.value;
  }

  Snapshot snapshot() {
    Map<Integer, List<WorkCounts>> byCpu = new TreeMap<>();
    TreeMap<Integer, LatencyHistogram> times = new TreeMap<>();
    for (int cpu = 0; cpu < cpus; cpu++) {
      List<WorkCounts> all = new ArrayList<>();
      for (WorkKey key : WorkKey.ALL) {
        int of = cpu;
        all.add(work.computeIfAbsent(List.of(cpu, key), k -> workCounts(of, key)));
      }
      byCpu.put(cpu, List.copyOf(all));
      times.put(cpu, histogram("irq", cpu));
    }
    Map<WorkKey, LossCounts> anywhere = new HashMap<>();
    WorkKey.ALL.forEach(
        key -> anywhere.put(key, lost.getOrDefault(List.of("anywhere", key), LossCounts.NONE)));
    Map<WorkClass, LossCounts> byClass = new HashMap<>();
    for (WorkClass workClass : WorkClass.values()) {
      byClass.put(workClass, lost.getOrDefault(List.of(workClass), LossCounts.NONE));
    }
    Counts counts =
        new Counts(byCpu, anywhere, functions(), new CallCounts(times, interrupts, queueCalls))
            .withLostByClass(byClass)
            .withPrograms(programs);
    return new Snapshot(wall, ns, ATTACHED_AT, counts);
  }

  private WorkCounts workCounts(int cpu, WorkKey key) {
    Map<RunContext, LatencyHistogram> in = new HashMap<>();
    for (RunContext context : RunContext.values()) {
      in.put(context, histogram("in", cpu, key, context));
    }
    return new WorkCounts(
        counters.getOrDefault(List.of("queued", cpu, key), 0L),
        counters.getOrDefault(List.of("barriers", cpu, key), 0L),
        lost.getOrDefault(List.of(cpu, key), LossCounts.NONE),
        histogram("queue", cpu, key),
        in,
        histogram("activation", cpu, key),
        histogram("service", cpu, key));
  }

  private Map<FunctionKey, FunctionCounts> functions() {
    Map<FunctionKey, FunctionCounts> functions = new HashMap<>();
    for (List<Object> place : histograms.keySet()) {
      if (place.get(0).equals("function")) {
        FunctionKey key = (FunctionKey) place.get(1);
        functions.put(
            key,
            new FunctionCounts(
                histogram("function", key, "queue"), histogram("function", key, "service")));
      }
    }
    return functions;
  }
}
