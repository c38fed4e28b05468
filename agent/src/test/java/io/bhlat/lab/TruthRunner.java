// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import com.google.gson.Gson;
import io.bhlat.kernel.KernelSymbols;
import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossReason;
import io.bhlat.model.Snapshot;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.testing.ThisHost;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbePlan.State;
import io.bhlat.trace.TraceOptions;
import io.bhlat.trace.TraceTarget;
import io.bhlat.trace.TraceTargets;
import io.bhlat.trace.bcc.BpfException;
import io.bhlat.trace.bcc.LiveSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs in a guest whose kernel has the module of bpf/lab/truth loaded: measures while the module
 * makes deferred work, and prints what both say.
 *
 * <p>Arguments: the probe kind to use, or {@code any}; the number of stamps that there is room for;
 * the age in seconds at which they are removed; and the scenarios, between which {@code
 * RELOAD=PATH} unloads the module and loads it again.
 */
final class TruthRunner implements AutoCloseable {

  static final String RELOAD = "RELOAD=";

  private static final Path MODULE = Path.of("/sys/kernel/debug/bhlat_truth");
  private static final String TIMER_FUNCTION = "bhlat_truth_timer";
  private static final Duration SETTLING = Duration.ofMillis(200);
  private static final int KEPT_LATENCIES = 20_000;

  /** The classes whose queued items have stamps. */
  private static final Set<WorkClass> STAMPED =
      EnumSet.of(
          WorkClass.WORKQUEUE, WorkClass.BH_WORKQUEUE, WorkClass.TASKLET, WorkClass.HI_TASKLET);

  private final LiveSource source;
  private final Duration maxAge;

  private TruthRunner(TraceOptions options, boolean timerStandsInForMixing) throws BpfException {
    this.maxAge = options.maxPendingAge();
    KernelSymbols symbols = new KernelSymbols(ThisHost.FILES);
    TraceTarget target = TraceTargets.of(ThisHost.FILES, symbols, Optional::empty);
    this.source =
        LiveSource.open(
            options,
            timerStandsInForMixing ? mixedBy(target, symbols.address(TIMER_FUNCTION)) : target,
            new ThisHost());
  }

  private static TraceTarget mixedBy(TraceTarget target, OptionalLong function) {
    return new TraceTarget(
        target.possibleCpus(),
        target.preemptRt(),
        target.layout(),
        target.layoutProblem(),
        FastPoolMechanism.TIMER,
        function,
        "",
        target.flushBarrierFunction(),
        target.executeEndArguments());
  }

  public static void main(String[] arguments)
      throws BpfException, IOException, InterruptedException {
    boolean timer = List.of(arguments).contains(TruthScenario.TIMER.name());
    TraceOptions options =
        TraceOptions.everything()
            // By nesting the kernel's own mixing would be recognised.
            .withProbeKinds(timer ? Set.of(ProbeKind.RAW_TRACEPOINT) : kinds(arguments[0]))
            .withMaxPending(Integer.parseInt(arguments[1]))
            .withMaxPendingAge(Duration.ofSeconds(Long.parseLong(arguments[2])));
    try (TruthRunner runner = new TruthRunner(options, timer)) {
      System.out.println(
          new Gson().toJson(runner.report(Arrays.stream(arguments).skip(3).toList())));
    }
  }

  /**
   * Tracepoints serve beside whatever kind is asked for: functions are what may be probed both
   * ways.
   */
  private static Set<ProbeKind> kinds(String name) {
    return switch (name) {
      case "any" -> EnumSet.allOf(ProbeKind.class);
      case "KPROBE" -> EnumSet.of(ProbeKind.RAW_TRACEPOINT, ProbeKind.KPROBE, ProbeKind.KRETPROBE);
      default -> throw new IllegalArgumentException("no way to probe functions: " + name);
    };
  }

  private TruthReport report(List<String> steps)
      throws BpfException, IOException, InterruptedException {
    Map<Measurement, State> states = new EnumMap<>(Measurement.class);
    Map<Measurement, List<String>> probes = new EnumMap<>(Measurement.class);
    Map<Measurement, List<String>> notes = new EnumMap<>(Measurement.class);
    for (Planned planned : source.plan().measurements()) {
      states.put(planned.measurement(), planned.state());
      notes.put(planned.measurement(), planned.notes());
      probes.put(
          planned.measurement(),
          planned.probes().stream()
              .filter(ProbeStatus::attached)
              .map(status -> status.probe().toString())
              .toList());
    }
    settle();
    List<TruthOutcome> outcomes = new ArrayList<>();
    long startNs = System.nanoTime();
    for (String step : steps) {
      if (step.startsWith(RELOAD)) {
        reload(step.substring(RELOAD.length()));
      } else {
        outcomes.add(run(TruthScenario.valueOf(step)));
      }
    }
    Map<String, Long> lostInTheEnd =
        lostInTheEnd(steps.contains(TruthScenario.ABANDONED.name()), startNs);
    Counts all = source.snapshot().counts();
    return new TruthReport(
        states,
        probes,
        notes,
        outcomes,
        lostInTheEnd,
        lost(all.total(WorkClass.TASKLET)),
        unexplained()[0]);
  }

  /** What was lost of work items, when stamps that nothing will start have been removed. */
  private Map<String, Long> lostInTheEnd(boolean abandoned, long startNs)
      throws InterruptedException {
    // Ages are looked at when a quarter of the greatest has passed.
    long endNs = startNs + maxAge.toNanos() * 3 / 2;
    while (abandoned && System.nanoTime() < endNs) {
      Thread.sleep(500);
      source.snapshot();
    }
    return lost(source.snapshot().counts().total(WorkClass.WORKQUEUE));
  }

  /**
   * Where tasklets are seen by their functions, these are found first: by a run that does not count
   * here, but among what must be explained.
   */
  private void find(TruthScenario scenario) throws IOException, InterruptedException {
    boolean byCallbacks =
        source.plan().of(Measurement.of(scenario.workClass())).probes().stream()
            .anyMatch(status -> status.attached() && status.probe().isOfCallbacks());
    if (byCallbacks) {
      write("run", 1);
      source.snapshot();
      settle();
    }
  }

  private static void reload(String module) throws IOException, InterruptedException {
    for (List<String> command : List.of(List.of("rmmod", module), List.of("insmod", module))) {
      int exitCode = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (exitCode != 0) {
        throw new IllegalStateException(command + ": exit code " + exitCode);
      }
    }
  }

  private TruthOutcome run(TruthScenario scenario)
      throws BpfException, IOException, InterruptedException {
    for (Map.Entry<String, Integer> file : scenario.files().entrySet()) {
      write(file.getKey(), file.getValue());
    }
    find(scenario);
    Snapshot before = source.snapshot();
    write("run", 1);
    settle();
    long[] unexplained = unexplained();
    Counts counts = source.snapshot().since(before).counts();
    String summary = Files.readString(MODULE.resolve("summary")).strip();
    WorkCounts total = counts.total(scenario.workClass());
    return new TruthOutcome(
        scenario,
        number(summary, "queued"),
        number(summary, "started"),
        number(summary, "cancelled"),
        latenciesNs(),
        cells(queueLatency(scenario, counts)),
        cells(total.activationLatency()),
        total.queued(),
        total.started(),
        total.serviceTime().count(),
        lost(total),
        unexplained[0],
        unexplained[1],
        queueCalls(counts.calls()),
        contexts(counts));
  }

  /** Of the scenario's function; the mixing of the fast pool is not told by function. */
  private static LatencyHistogram queueLatency(TruthScenario scenario, Counts counts) {
    if (!scenario.workClass().hasFunctions()) {
      return counts.total(scenario.workClass()).queueLatency();
    }
    FunctionKey function =
        new FunctionKey(scenario.workClass(), scenario.function(), scenario.workqueue());
    return counts.functions().getOrDefault(function, FunctionCounts.NONE).queueLatency();
  }

  private static Map<String, Long> queueCalls(CallCounts calls) {
    Map<String, Long> counts = new TreeMap<>();
    calls
        .queueWorkOnByRequest()
        .forEach(
            (request, count) ->
                counts.merge(
                    request.request().label() + " " + request.resultLabel(), count, Long::sum));
    return counts;
  }

  private static Map<String, Long> contexts(Counts counts) {
    Map<String, Long> contexts = new TreeMap<>();
    counts
        .total(WorkClass.SOFTIRQ)
        .queueLatencyIn()
        .forEach((context, latency) -> contexts.put(context.label(), latency.count()));
    return contexts;
  }

  /**
   * What is queued and not accounted for, and the stamps. Work that is queued between reading one
   * and reading the other looks so for a moment.
   */
  private long[] unexplained() throws BpfException, InterruptedException {
    long least = Long.MAX_VALUE;
    long stamps = 0;
    for (int attempt = 0; attempt < 20 && least != 0; attempt++) {
      Counts counts = source.snapshot().counts();
      stamps = source.pendingStamps();
      long pending = STAMPED.stream().mapToLong(c -> counts.total(c).pending()).sum();
      if (Math.abs(pending - stamps) < Math.abs(least)) {
        least = pending - stamps;
      }
      Thread.sleep(10);
    }
    return new long[] {least, stamps};
  }

  private static void write(String file, int value) throws IOException {
    Files.writeString(MODULE.resolve(file), value + "\n");
  }

  private static void settle() throws InterruptedException {
    Thread.sleep(SETTLING.toMillis());
  }

  private static long number(String summary, String name) {
    List<String> words = List.of(summary.split(" "));
    return Long.parseLong(words.get(words.lastIndexOf(name) + 1));
  }

  private static List<Long> latenciesNs() throws IOException {
    try (var lines = Files.lines(MODULE.resolve("pairs"))) {
      List<Long> sorted =
          lines
              .map(line -> line.split(" "))
              .map(words -> Long.parseLong(words[3]) - Long.parseLong(words[1]))
              .sorted()
              .toList();
      // Of many, a part with the same median and the same greatest.
      int step = sorted.size() / KEPT_LATENCIES + 1;
      List<Long> kept = new ArrayList<>();
      for (int i = step / 2; i < sorted.size() - 1; i += step) {
        kept.add(sorted.get(i));
      }
      kept.addAll(sorted.subList(Math.max(0, sorted.size() - 1), sorted.size()));
      return kept;
    }
  }

  private static Map<Integer, Long> cells(LatencyHistogram histogram) {
    Map<Integer, Long> cells = new TreeMap<>();
    for (int cell = 0; cell < LatencyBuckets.CELLS; cell++) {
      if (histogram.countInCell(cell) != 0) {
        cells.put(cell, histogram.countInCell(cell));
      }
    }
    return cells;
  }

  private static Map<String, Long> lost(WorkCounts counts) {
    Map<String, Long> lost = new TreeMap<>();
    for (LossReason reason : LossReason.values()) {
      if (counts.lost().count(reason) != 0) {
        lost.put(reason.label(), counts.lost().count(reason));
      }
    }
    return lost;
  }

  @Override
  public void close() {
    source.close();
  }
}
