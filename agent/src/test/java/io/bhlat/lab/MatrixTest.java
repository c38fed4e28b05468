// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.WorkClass;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Writes the table of docs/ACCURACY.md: bpf/lab/matrix runs it. BHLAT_LAB_MATRIX names the kernels,
 * of which each is booted once; the rows of others stay.
 */
@EnabledIfEnvironmentVariable(
    named = "BHLAT_LAB_MATRIX",
    matches = ".+",
    disabledReason = "the matrix of kernels takes long; run bpf/lab/matrix")
class MatrixTest {

  private static final String BEGIN = "<!-- bpf/lab/matrix: begin -->";
  private static final String END = "<!-- bpf/lab/matrix: end -->";
  private static final int ROOM = 150_000;

  static Stream<String> kernels() {
    return Stream.of(System.getenv("BHLAT_LAB_MATRIX").split(" "));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void writesTheRowsOfAKernel(String kernel) throws IOException, InterruptedException {
    LabGuest.assumeThere();
    List<TruthReport> reports =
        new TruthGuest(kernel)
            .measure(Optional.empty(), ROOM, scenarios(kernel))
            .measure(
                Optional.of(ProbeKind.KPROBE),
                ROOM,
                TruthScenario.HI_TASKLET,
                TruthScenario.TASKLET,
                TruthScenario.CONTENDED_TASKLET)
            .measure(Optional.empty(), ROOM, TruthScenario.TIMER)
            .reports();

    List<String> rows = new ArrayList<>();
    reports
        .get(0)
        .states()
        .forEach((measurement, state) -> rows.add(coverage(kernel, reports.get(0), measurement)));
    reports.forEach(report -> rows.addAll(accuracy(kernel, report)));
    write(kernel, rows);
    assertThat(rows).isNotEmpty();
  }

  private static TruthScenario[] scenarios(String kernel) {
    boolean isRecent = !List.of("5.10", "6.1", "6.1-rt").contains(kernel);
    return Stream.concat(
            Arrays.stream(TruthGuest.ALL),
            isRecent ? Stream.of(TruthScenario.BH_WORK) : Stream.empty())
        .toArray(TruthScenario[]::new);
  }

  private static String coverage(String kernel, TruthReport report, Measurement measurement) {
    return row(
        kernel,
        measurement.label(),
        byKind(report.probesOf(measurement)),
        report.state(measurement).name().toLowerCase(Locale.ROOT).replace('_', ' '),
        "");
  }

  /** {@code kind target, target; kind target}. */
  private static String byKind(List<String> probes) {
    Map<String, List<String>> targets = new TreeMap<>();
    for (String probe : probes) {
      int space = probe.indexOf(' ');
      targets
          .computeIfAbsent(probe.substring(0, space), kind -> new ArrayList<>())
          .add(probe.substring(space + 1));
    }
    return targets.entrySet().stream()
        .map(kind -> kind.getKey() + " " + String.join(", ", kind.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static List<String> accuracy(String kernel, TruthReport report) {
    List<String> rows = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    int others = 0;
    for (TruthOutcome outcome : report.outcomes()) {
      if (!served(report, outcome.scenario())) {
        continue;
      }
      if (isOwnRow(outcome.scenario())) {
        rows.add(
            row(
                kernel,
                label(outcome.scenario()),
                queueProbe(report, outcome.scenario()),
                count(outcome),
                offset(outcome)));
      } else {
        others++;
        if (!isExact(outcome)) {
          wrong.add(
              label(outcome.scenario()) + " (" + count(outcome) + ", " + outcome.lost() + ")");
        }
      }
    }
    if (others != 0) {
      String exact = (others - wrong.size()) + " of " + others + " exact";
      rows.add(
          row(
              kernel,
              "scenarios",
              scenarioProbes(report),
              wrong.isEmpty() ? exact : exact + "; not: " + String.join(", ", wrong),
              ""));
    }
    return rows;
  }

  /** By what the queueings of all of them are seen. */
  private static String scenarioProbes(TruthReport report) {
    return report.outcomes().stream()
        .map(TruthOutcome::scenario)
        .filter(scenario -> !isOwnRow(scenario) && served(report, scenario))
        .map(scenario -> queueProbe(report, scenario))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static boolean isOwnRow(TruthScenario scenario) {
    return TruthGuest.KINDS.contains(scenario)
        || scenario == TruthScenario.TIMER
        || scenario == TruthScenario.BH_WORK;
  }

  private static boolean served(TruthReport report, TruthScenario scenario) {
    return report.state(Measurement.of(scenario.workClass())) != State.MISSING;
  }

  private static boolean isExact(TruthOutcome outcome) {
    return outcome.counted() == outcome.started()
        && outcome.started() + outcome.cancelled() == outcome.queued()
        && outcome.unexplained() == 0;
  }

  private static String count(TruthOutcome outcome) {
    return outcome.counted() == outcome.started()
        ? "all " + outcome.started()
        : outcome.counted() + " of " + outcome.started();
  }

  /** The middle of a bucket, which is 9 % wide, has no more figures than these. */
  private static String offset(TruthOutcome outcome) {
    return outcome.counted() == 0
        ? ""
        : String.format(
            Locale.ROOT, "%.0f / %.0f", outcome.medianNs() / 1e3, outcome.countedMedianNs() / 1e3);
  }

  private static String label(TruthScenario scenario) {
    return scenario.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** By what the queueing is seen. */
  private static String queueProbe(TruthReport report, TruthScenario scenario) {
    List<String> probes = report.probesOf(Measurement.of(scenario.workClass()));
    if (probes.isEmpty()) {
      return "none";
    }
    String last = probes.get(probes.size() - 1);
    return scenario.workClass() == WorkClass.TASKLET && probes.size() > 1
        ? probes.get(probes.size() - 2)
        : last;
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  private static void write(String kernel, List<String> rows) throws IOException {
    Path file = LabGuest.repository().resolve("docs/ACCURACY.md");
    List<String> lines = new ArrayList<>(Files.readAllLines(file, UTF_8));
    int begin = lines.indexOf(BEGIN);
    assertThat(begin).as("the line %s in %s", BEGIN, file).isNotNegative();
    lines.removeIf(line -> line.startsWith("| " + kernel + " |"));
    lines.addAll(lines.indexOf(END), rows);
    Files.writeString(file, String.join("\n", lines) + "\n", UTF_8);
  }
}
