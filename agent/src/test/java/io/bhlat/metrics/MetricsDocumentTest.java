// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** docs/METRICS.md and grafana/prometheus.yml against the code and the real promtool. */
class MetricsDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "METRICS.md");
  private static final Path CONFIGURATION = Path.of("..", "grafana", "prometheus.yml");

  /** A row of the table of families: name, type, labels; unit and meaning follow. */
  private static final Pattern FAMILY =
      Pattern.compile(
          "^\\| `(bhlat_\\w+)` \\| (\\w+) \\| (`[^|]+|none) \\| ([^|]+) \\|.*", Pattern.MULTILINE);

  @Test
  void namesExactlyTheFamiliesWithTypeAndLabelsInOrder() throws IOException {
    List<String> documented =
        FAMILY
            .matcher(Files.readString(DOCUMENT))
            .results()
            .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
            .toList();

    assertThat(documented)
        .containsExactlyElementsOf(
            MetricNames.all().stream().map(MetricsDocumentTest::asDocumented).toList());
  }

  @Test
  void givesEachFamilyTheUnitThatItsNameAndTypeSay() throws IOException {
    List<String> units =
        FAMILY
            .matcher(Files.readString(DOCUMENT))
            .results()
            .map(row -> row.group(1) + " " + row.group(4))
            .toList();

    assertThat(units)
        .allSatisfy(
            documented -> {
              String[] of = documented.split(" ", 2);
              assertThat(of[1].equals("s")).isEqualTo(of[0].matches(".*_seconds(_total)?"));
              assertThat(of[1].equals("B/s")).isEqualTo(of[0].endsWith("_bytes_per_second"));
              if (of[0].endsWith("_info")) {
                assertThat(of[1]).isEqualTo("1");
              }
            });
    assertThat(MetricNames.all())
        .allSatisfy(
            name ->
                assertThat(name.metadata().hasUnit())
                    .isEqualTo(name.name().matches(".*_seconds(_total)?")));
  }

  /** A row for each label, but for those that several share. */
  @Test
  void explainsEveryLabel() throws IOException {
    String document = Files.readString(DOCUMENT);
    String labels =
        document
            .substring(document.indexOf("| label | values |"), document.indexOf("The agent's own"))
            .lines()
            .map(line -> line.split(" \\| ", 2)[0])
            .reduce("", (all, line) -> all + line + "\n");

    assertThat(MetricNames.all())
        .flatExtracting(MetricName::labels)
        .allSatisfy(label -> assertThat(labels).contains("`" + label + "`"));
  }

  private static String asDocumented(MetricName name) {
    return name.name()
        + " "
        + name.type().name().toLowerCase(Locale.ROOT)
        + " "
        + (name.labels().isEmpty() ? "none" : "`" + String.join("`, `", name.labels()) + "`");
  }

  @Test
  void everyQueryNamesOnlyFamiliesThatExist() throws IOException {
    Matcher names = Pattern.compile("bhlat_\\w+").matcher(queries());
    List<String> known = MetricNames.all().stream().map(MetricName::name).toList();

    assertThat(names.results().map(name -> name.group().replaceFirst("_bucket$", "")))
        .isNotEmpty()
        .isSubsetOf(known);
  }

  private static String queries() throws IOException {
    return Pattern.compile("```promql\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(DOCUMENT))
        .results()
        .map(block -> block.group(1))
        .reduce("", String::concat);
  }

  @Test
  @Timeout(60)
  void promtoolAcceptsTheConfiguration() throws IOException, InterruptedException {
    PrometheusProcess.assumeInstalled("promtool");
    Process promtool =
        new ProcessBuilder("promtool", "check", "config", CONFIGURATION.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(promtool.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(promtool.exitValue()).as(output).isZero();
  }
}
