// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.bhlat.cli.BhlatProcess.Outcome;
import io.bhlat.model.WorkKey;
import io.bhlat.recording.IntervalSum;
import io.bhlat.recording.RecordedInterval;
import io.bhlat.recording.RecordingReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running daemon recorded, as commands print it. */
final class FromDaemonTest {

  @TempDir Path folder;

  @BeforeAll
  static void needsRoot() {
    Needs.root();
  }

  private static BhlatProcess serve(String... more) {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "serve";
    arguments[1] = "--web.listen-address";
    arguments[2] = "127.0.0.1:0";
    System.arraycopy(more, 0, arguments, 3, more.length);
    return bhlat(arguments).start();
  }

  private static String daemon(BhlatProcess serve) {
    String line = serve.awaitErr(l -> l.contains("serving on http://127.0.0.1:"));
    return "--from-daemon=" + line.substring(line.indexOf("http://"), line.lastIndexOf("/metrics"));
  }

  /**
   * Both count the same kernel, each with its own probes, over spans that differ by less than the
   * recorder's resolution at either end.
   */
  @Test
  void holdsWhatHistMeasuresOverTheSameTime() throws Exception {
    try (BhlatProcess serve = serve("--recorder.resolution", "100ms")) {
      String daemon = daemon(serve);
      Outcome hist =
          Load.ofSynchronousWrites(folder, 2)
              .during(() -> bhlat("hist", "--duration", "4s", "--json").run());
      JsonObject measured = HistTest.json(hist).get(0);
      Path file = folder.resolve("recorded");
      assertThat(bhlat("record", daemon, "-o", file.toString()).run().exitCode()).isZero();
      Map<String, Long> least = started(file, measured, false);
      Map<String, Long> most = started(file, measured, true);
      int compared = 0;
      for (JsonObject counts : HistTest.classes(measured)) {
        String name = name(counts);
        long started = counts.get("started").getAsLong();
        // A few may be seen by one set of programs and not yet by the other.
        assertThat(started)
            .as(name)
            .isBetween(least.getOrDefault(name, 0L) - 5, most.getOrDefault(name, 0L) + 5);
        compared += started > 100 ? 1 : 0;
      }
      assertThat(compared).isGreaterThan(2);
    }
  }

  private static String name(JsonObject counts) {
    return counts.get("work_class").getAsString() + " " + counts.get("vector");
  }

  /** What the frames say that lie within the span, or all that touch it. */
  private static Map<String, Long> started(Path file, JsonObject measured, boolean touching)
      throws IOException {
    Instant from = Instant.parse(measured.get("from").getAsString());
    Instant to = Instant.parse(measured.get("to").getAsString()).plusMillis(1);
    IntervalSum sum = new IntervalSum();
    try (RecordingReader reader =
        new RecordingReader(new BufferedInputStream(Files.newInputStream(file)))) {
      for (Optional<RecordedInterval> next = reader.next();
          next.isPresent();
          next = reader.next()) {
        RecordedInterval frame = next.get();
        boolean inside = !frame.from().isBefore(from) && !frame.to().isAfter(to);
        if (inside || (touching && frame.to().isAfter(from) && frame.from().isBefore(to))) {
          sum.add(frame);
        }
      }
    }
    Map<String, Long> started = new TreeMap<>();
    for (WorkKey key : WorkKey.ALL) {
      started.merge(name(key), sum.interval().counts().total(key).started(), Long::sum);
    }
    return started;
  }

  private static String name(WorkKey key) {
    return key.workClass().label()
        + " "
        + key.vector().map(vector -> "\"" + vector.label() + "\"").orElse("null");
  }

  @Test
  void printsInEveryFormatWhatIsHeldWithoutASecondSetOfProbes() throws Exception {
    try (BhlatProcess serve = serve()) {
      String daemon = daemon(serve);
      Thread.sleep(3_200);
      Outcome text = bhlat("hist", daemon, "--per-cpu").run();
      assertThat(text.exitCode()).as(text.err()).isZero();
      assertThat(text.out()).startsWith("bhlat hist · ").contains("softirq TIMER", "accounts");

      Outcome since = bhlat("hist", daemon, "--since", "2s", "--json", "--interval", "1s").run();
      List<JsonObject> lines = HistTest.json(since);
      assertThat(lines).hasSize(3);
      assertThat(lines.get(2).get("duration_ns").getAsLong())
          .isBetween(1_500_000_000L, 2_500_000_000L)
          .isEqualTo(
              lines.get(0).get("duration_ns").getAsLong()
                  + lines.get(1).get("duration_ns").getAsLong());
      JsonArray measurements = lines.get(2).getAsJsonArray("measurements");
      assertThat(measurements).extracting(JsonElement::isJsonObject).containsOnly(true);

      Outcome metrics = bhlat("hist", daemon, "--openmetrics").run();
      assertThat(metrics.out()).contains("bhlat_softirq_latency_seconds").endsWith("# EOF\n");

      Outcome longer = bhlat("hist", daemon, "--since", "1h").run();
      assertThat(longer.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
      assertThat(longer.err()).contains("the daemon holds no more than", "asked for");
    }
  }

  @Test
  void writesAFileThatIsReadAgainAndOverwritesNone() throws Exception {
    Path file = folder.resolve("host.rec");
    try (BhlatProcess serve = serve()) {
      String daemon = daemon(serve);
      Thread.sleep(2_200);
      Outcome written = bhlat("record", daemon, "-o", file.toString()).run();
      assertThat(written.exitCode()).as(written.err()).isZero();
      assertThat(written.out())
          .matches("wrote \\S+: \\S+ s from \\S+Z to \\S+Z, \\d frames, [0-9,]+ bytes\n");
      Outcome again = bhlat("record", daemon, "-o", file.toString()).run();
      assertThat(again.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(again.err()).contains("EEXIST", "--force");
      assertThat(bhlat("record", daemon, "--force", "-o", file.toString()).run().exitCode())
          .isZero();
      Path link = Files.createSymbolicLink(folder.resolve("link"), file);
      Outcome refused = bhlat("record", daemon, "--force", "-o", link.toString()).run();
      assertThat(refused.exitCode()).isEqualTo(ExitCode.CANNOT);
      assertThat(refused.err()).contains("write " + link + ": not a regular file");
      assertThat(link).isSymbolicLink();
    }
    assertThat(folder)
        .isDirectoryContaining(path -> path.equals(file))
        .isDirectoryNotContaining("glob:**.part");
    Outcome printed = bhlat("hist", "--recording", file.toString(), "--json").run();
    assertThat(printed.exitCode()).as(printed.err()).isZero();
    assertThat(HistTest.classes(HistTest.json(printed).get(0))).isNotEmpty();

    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 1));
    Outcome cut = bhlat("hist", "--recording", file.toString(), "--json").run();
    assertThat(cut.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(cut.err()).contains("it ends within a frame", "bytes are ignored");
    assertThat(HistTest.json(cut)).hasSize(1);
  }

  @Test
  void saysThatNothingIsKept() {
    try (BhlatProcess serve = serve("--recorder.max-memory", "off")) {
      Outcome refused = bhlat("hist", daemon(serve)).run();
      assertThat(refused.exitCode()).isEqualTo(ExitCode.CANNOT);
      assertThat(refused.err()).contains("--recorder.max-memory=off").hasLineCount(1);
    }
  }
}
