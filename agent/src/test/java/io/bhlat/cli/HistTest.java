// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.bhlat.cli.BhlatProcess.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bhlat hist} on the kernel that runs here. */
final class HistTest {

  private static final Set<String> LOST_AT_START_OR_END =
      Set.of("no_queue_seen", "running_full", "no_start_seen");

  @TempDir Path folder;

  @BeforeAll
  static void needsRoot() {
    Needs.root();
  }

  @Test
  void printsWhatTheKernelDidAndLeavesNoFolder() {
    Outcome hist = bhlat("hist", "--duration", "1s").jvm("-Djava.io.tmpdir=" + folder).run();
    assertThat(hist.out())
        .startsWith("bhlat hist · ")
        .contains("queue latency", "service time", "softirq TIMER", "accounts")
        .containsPattern("softirq +queued [0-9,]+ = started [0-9,]+ ");
    assertThat(hist.err()).isEmpty();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void balancesTheAccountOfEveryIntervalAndOfTheTotal() {
    Outcome hist =
        Load.ofSynchronousWrites(folder, 2)
            .during(() -> bhlat("hist", "--duration", "1s", "--interval", "300ms", "--json").run());
    assertThat(hist.exitCode()).as(hist.err()).isEqualTo(ExitCode.OK);
    List<JsonObject> lines = json(hist);
    assertThat(lines).hasSizeGreaterThanOrEqualTo(3);
    assertThat(lines.subList(0, lines.size() - 1))
        .allSatisfy(line -> assertThat(line.get("kind").getAsString()).isEqualTo("interval"));
    JsonObject total = lines.get(lines.size() - 1);
    assertThat(total.get("kind").getAsString()).isEqualTo("total");
    assertThat(total.get("duration_ns").getAsLong()).isGreaterThanOrEqualTo(1_000_000_000);
    for (JsonObject line : lines) {
      assertThat(line.get("schema").getAsString()).isEqualTo("bhlat.hist/2");
      classes(line).stream()
          .filter(c -> !c.get("pending").isJsonNull())
          .forEach(HistTest::assertBalances);
    }
    JsonObject workqueue =
        classes(total).stream()
            .filter(c -> c.get("work_class").getAsString().equals("workqueue"))
            .findFirst()
            .orElseThrow();
    assertThat(workqueue.get("started").getAsLong()).isPositive();
    long ofIntervals =
        lines.subList(0, lines.size() - 1).stream()
            .mapToLong(line -> line.get("duration_ns").getAsLong())
            .sum();
    assertThat(ofIntervals)
        .as("the intervals are the whole time, the last one too")
        .isEqualTo(total.get("duration_ns").getAsLong());
    // Work items wait for microseconds: what is pending is a glance at the queue, not a leak.
    assertThat(Math.abs(workqueue.get("pending").getAsLong())).isLessThan(1_000);
  }

  /** queued = started + pending + lost. */
  static void assertBalances(JsonObject counts) {
    long lost =
        counts.getAsJsonObject("lost").entrySet().stream()
            .filter(entry -> !LOST_AT_START_OR_END.contains(entry.getKey()))
            .mapToLong(entry -> entry.getValue().getAsLong())
            .sum();
    assertThat(counts.get("queued").getAsLong())
        .as(counts.toString())
        .isEqualTo(counts.get("started").getAsLong() + counts.get("pending").getAsLong() + lost);
  }

  @Test
  void measuresOnlyTheClassThatWasAskedForOnEachCpu() {
    Outcome hist =
        bhlat("hist", "--duration", "500ms", "--class", "softirq", "--per-cpu", "--json").run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.OK);
    JsonObject total = json(hist).get(0);
    List<JsonObject> classes = classes(total);
    assertThat(classes)
        .isNotEmpty()
        .allSatisfy(c -> assertThat(c.get("work_class").getAsString()).isEqualTo("softirq"))
        .anySatisfy(c -> assertThat(c.get("cpu").isJsonNull()).isFalse());
    assertThat(total.getAsJsonArray("functions")).isEmpty();
    for (JsonObject sum : classes.stream().filter(c -> c.get("cpu").isJsonNull()).toList()) {
      long started =
          classes.stream()
              .filter(c -> !c.get("cpu").isJsonNull() && c.get("vector").equals(sum.get("vector")))
              .mapToLong(c -> c.get("started").getAsLong())
              .sum();
      assertThat(started).as(sum.toString()).isEqualTo(sum.get("started").getAsLong());
    }
  }

  @Test
  void listsOnlyFunctionsThatMatch() {
    Outcome hist =
        Load.ofSynchronousWrites(folder, 1)
            .andTerminals(1)
            .during(
                () ->
                    bhlat("hist", "-d", "500ms", "--function", "^flush_to_ldisc$", "--json").run());
    assertThat(json(hist).get(0).getAsJsonArray("functions"))
        .singleElement()
        .satisfies(
            function ->
                assertThat(function.getAsJsonObject().get("function").getAsString())
                    .isEqualTo("flush_to_ldisc"));
  }

  @Test
  void printsOpenMetrics() {
    Outcome hist = bhlat("hist", "--duration", "500ms", "--openmetrics").run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(hist.out())
        .endsWith("# EOF\n")
        .contains("# TYPE bhlat_softirq_latency_seconds histogram")
        .containsPattern(
            "bhlat_softirq_latency_seconds_count\\{context=\"irq_exit\",cpu=\"0\",vector=\"TIMER\"}"
                + " \\d+")
        .contains("bhlat_probe_attached{");
    assertThat(hist.err()).isEmpty();
  }

  @Test
  void measuresTwiceAtOnce() {
    try (BhlatProcess one = bhlat("hist", "--duration", "1s", "--json").start();
        BhlatProcess other = bhlat("hist", "--duration", "1s", "--json").start()) {
      for (Outcome hist : List.of(one.awaitEnd(), other.awaitEnd())) {
        assertThat(hist.exitCode()).as(hist.err()).isEqualTo(ExitCode.OK);
        assertThat(classes(json(hist).get(0)).stream().mapToLong(c -> c.get("started").getAsLong()))
            .anyMatch(started -> started > 0);
      }
    }
  }

  @Test
  void showsProgressOnATerminalOnly() {
    Outcome hist = bhlat("hist", "-d", "1500ms").jvm("-Dbhlat.stderr.terminal=true").run();
    assertThat(hist.err()).contains("measuring", "1 of 1 s").endsWith("\r");
  }

  static List<JsonObject> json(Outcome hist) {
    return hist.out().lines().map(l -> JsonParser.parseString(l).getAsJsonObject()).toList();
  }

  static List<JsonObject> classes(JsonObject line) {
    return StreamSupport.stream(line.getAsJsonArray("classes").spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .toList();
  }
}
