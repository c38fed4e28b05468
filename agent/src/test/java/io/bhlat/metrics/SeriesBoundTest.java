// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.QueueCallKey;
import io.bhlat.model.RunContext;
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
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many series a host has at most: what docs/METRICS.md says, and what the code makes. */
class SeriesBoundTest {

  private static final int FUNCTIONS = 64;

  /** More programs than any kernel is given. */
  private static final int PROGRAMS = 30;

  /** Buckets, sum and count. */
  private static final int CLASSIC_SERIES = HistogramPoints.CLASSIC_BUCKETS + 2;

  /** What runs softirqs: the kernel's programs tell four apart. */
  private static final List<RunContext> CONTEXTS =
      List.of(RunContext.IRQ_EXIT, RunContext.KSOFTIRQD, RunContext.KTIMERS, RunContext.IRQ_THREAD);

  /** A row of the table: CPUs, functions, series with native histograms, with classic ones. */
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| (\\d+) \\| 64 \\| ([\\d,]+) \\| ([\\d,]+) \\| ([\\d,]+) \\|$", Pattern.MULTILINE);

  private final LatencyHistogram latency = TestCounts.histogram(3_000);

  /** A host on which everything counts that can. */
  private Counts everything(int cpus) {
    Map<Integer, List<WorkCounts>> byCpu = new TreeMap<>();
    TreeMap<Integer, LatencyHistogram> timeInInterrupt = new TreeMap<>();
    TreeMap<QueueCallKey, Long> queueCalls = new TreeMap<>();
    for (int cpu = 0; cpu < cpus; cpu++) {
      byCpu.put(cpu, WorkKey.ALL.stream().map(this::counts).toList());
      timeInInterrupt.put(cpu, latency);
      for (int asked : new int[] {cpu, cpu + 1, QueueCallKey.UNBOUND, QueueCallKey.OTHER}) {
        queueCalls.put(new QueueCallKey(cpu, asked, true), 1L);
        queueCalls.put(new QueueCallKey(cpu, asked, false), 1L);
      }
    }
    Map<String, ProgramRuns> programs = new TreeMap<>();
    IntStream.range(0, PROGRAMS).forEach(p -> programs.put("p" + p, new ProgramRuns(1, 1)));
    return new Counts(
            byCpu,
            Map.of(),
            functions(),
            new CallCounts(timeInInterrupt, new TreeMap<>(), queueCalls))
        .withPrograms(programs);
  }

  /** A kernel defers the mixing in one way. */
  private WorkCounts counts(WorkKey key) {
    if (key.mechanism().filter(m -> m != FastPoolMechanism.TIMER).isPresent()) {
      return WorkCounts.NONE;
    }
    if (!key.hasContexts()) {
      boolean activated = Measurement.of(key.workClass()) == Measurement.WORKQUEUE;
      return new WorkCounts(
          1, 0, LossCounts.NONE, latency, activated ? latency : LatencyHistogram.EMPTY, latency);
    }
    Map<RunContext, LatencyHistogram> latencies = new EnumMap<>(RunContext.class);
    CONTEXTS.forEach(context -> latencies.put(context, latency));
    return WorkCounts.byContext(1, LossCounts.NONE, latencies, latency);
  }

  /** Twice as many as have series, of all classes. */
  private Map<FunctionKey, FunctionCounts> functions() {
    Map<FunctionKey, FunctionCounts> functions = new TreeMap<>();
    FunctionCounts counts = new FunctionCounts(latency, latency);
    List<WorkClass> classes =
        Arrays.stream(WorkClass.values()).filter(WorkClass::hasFunctions).toList();
    for (int i = 0; i < 2 * FUNCTIONS; i++) {
      functions.put(
          new FunctionKey(classes.get(i % classes.size()), "f" + i, Optional.of("w")), counts);
    }
    classes.forEach(workClass -> functions.put(FunctionKey.other(workClass), counts));
    return functions;
  }

  private static ProbePlan plan() {
    List<Planned> planned = new ArrayList<>();
    for (Measurement measurement : Measurement.values()) {
      List<ProbeStatus> probes =
          IntStream.range(0, PROGRAMS / Measurement.values().length)
              .mapToObj(
                  i ->
                      new ProbeStatus(
                          new Probe(ProbeKind.KPROBE, measurement + "_" + i, "p"),
                          Optional.empty()))
              .toList();
      planned.add(new Planned(measurement, State.ATTACHED, probes, true, List.of()));
    }
    return new ProbePlan(FastPoolMechanism.TIMER, planned);
  }

  private MetricSnapshots scrape(int cpus) {
    MultiCollector kernel =
        () -> KernelMetrics.of(everything(cpus), plan(), TestCounts.ATTACHED_AT, FUNCTIONS);
    MultiCollector host = TestCounts.hostMetrics();
    return new GuardedCollectors(Map.of("kernel", kernel, "host", host)).collect();
  }

  private static int histograms(MetricSnapshots families) {
    return families.stream()
        .filter(HistogramSnapshot.class::isInstance)
        .mapToInt(family -> family.getDataPoints().size())
        .sum();
  }

  private static int others(MetricSnapshots families) {
    return families.stream()
        .filter(family -> !(family instanceof HistogramSnapshot))
        .mapToInt((MetricSnapshot family) -> family.getDataPoints().size())
        .sum();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 64, 256})
  void theDocumentedBoundIsReachedAndNotExceeded(int cpus) throws IOException {
    MetricSnapshots families = scrape(cpus);

    int histograms = histograms(families);
    assertThat(histograms).isEqualTo(66 * cpus + 2 * (FUNCTIONS + 4));
    assertThat(documented(cpus, 2)).isEqualTo(histograms);
    assertThat(documented(cpus, 3)).isEqualTo(CLASSIC_SERIES * histograms);
    assertThat(documented(cpus, 4)).isEqualTo(20 * cpus + 200);
    assertThat(others(families)).isBetween(20 * cpus, 20 * cpus + 200);
  }

  private static int documented(int cpus, int column) throws IOException {
    MatchResult row =
        ROW.matcher(Files.readString(Path.of("..", "docs", "METRICS.md")))
            .results()
            .filter(match -> match.group(1).equals(Integer.toString(cpus)))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no row for " + cpus + " CPUs"));
    return Integer.parseInt(row.group(column).replace(",", ""));
  }

  @Test
  void theFormulaIsTheDocumentedOne() throws IOException {
    assertThat(Files.readString(Path.of("..", "docs", "METRICS.md")))
        .contains("H = 66·C + 2·(F + 4)   histograms")
        .contains("20·C + 200             other series of bhlat's");
  }
}
