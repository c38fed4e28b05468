// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.config.AgentConfig;
import io.bhlat.config.DurationText;
import io.bhlat.metrics.LabelMetrics;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.TraceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** docs/CONFIGURATION.md against the code: its flags exist, and its example is read. */
final class ConfigurationDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "CONFIGURATION.md");
  private static final Pattern FLAG =
      Pattern.compile("^\\| `(--[a-z.-]+)` \\| ([^|]+) \\|", Pattern.MULTILINE);
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  private static CommandSpec serve() {
    return Main.commandLine(Terminal.ofProcess(), new StopSignal())
        .getSubcommands()
        .values()
        .stream()
        .map(CommandLine::getCommandSpec)
        .filter(command -> command.name().equals("serve"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void namesEveryFlagOfServeButThoseForPeople() throws IOException {
    Set<String> flags = new TreeSet<>();
    for (OptionSpec option : serve().options()) {
      flags.add(option.longestName());
    }
    flags.removeAll(List.of("--help", "--version", "--verbose"));

    assertThat(FLAG.matcher(Files.readString(DOCUMENT)).results().map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(flags);
  }

  @Test
  void namesTheDefaultsOfTheLimits() throws IOException {
    List<String> defaults =
        FLAG.matcher(Files.readString(DOCUMENT)).results().map(row -> row.group(2)).toList();

    assertThat(defaults)
        .contains(
            Integer.toString(TraceOptions.DEFAULT_TRACKED_FUNCTIONS / 4),
            Integer.toString(TraceOptions.DEFAULT_MAX_PENDING),
            DurationText.of(TraceOptions.DEFAULT_MAX_PENDING_AGE).replace("1m", "60s"),
            "127.0.0.1:9971");
    assertThat(Files.readString(DOCUMENT))
        .contains(
            "1 to %,d |".formatted(AgentConfig.MOST_FUNCTIONS),
            "1 to %,d |".formatted(AgentConfig.MOST_PENDING))
        .contains(Arrays.stream(WorkClass.values()).map(c -> "`" + c.label() + "`").toList());
  }

  @Test
  void itsExampleIsRead() throws IOException {
    String example =
        YAML.matcher(Files.readString(DOCUMENT))
            .results()
            .map(MatchResult::group)
            .filter(block -> block.contains("max_pending_age"))
            .findFirst()
            .orElseThrow();
    Path file = folder.resolve("bhlat.yml");
    Files.writeString(file, example.replace("```yaml", "").replace("```", ""));

    AgentConfig config = AgentConfig.read(file, LabelMetrics.takenNames());

    assertThat(config.labels()).containsEntry("rack", "r12");
    assertThat(config.functions().select("mlx5_work")).isTrue();
    assertThat(config.functions().select("mlx5_cleanup")).isFalse();
    assertThat(WebAccess.address(config).orElseThrow().port()).isEqualTo(9971);
  }
}
