// SPDX-License-Identifier: Apache-2.0
package io.bhlat.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bhlat.cli.CommandModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The manual page and the command line say the same. */
final class ManPageTest {

  private static final String TEMPLATE = "before\n" + ManPage.COMMANDS + "after\n";

  @Test
  void describesEveryOptionOfEveryCommand() throws IOException {
    CommandLine commandLine = CommandModel.commandLine();
    String page =
        ManPage.fill(
            Files.readString(Path.of("man", "bhlat.1")), commandLine, "0.1.0", "2026-11-30");

    for (CommandLine command : commandLine.getSubcommands().values()) {
      String name = "bhlat " + command.getCommandName();
      assertThat(page).contains(".SS " + Roff.bold(name));
      for (OptionSpec option : command.getCommandSpec().options()) {
        for (String spelling : option.names()) {
          assertThat(page).as(name).contains(Roff.bold(spelling));
        }
      }
    }
    assertThat(page).startsWith(".\\\" SPDX").contains(".TH BHLAT 1 2026-11-30 \"bhlat 0.1.0\"");
    assertThat(page).doesNotContain("@", "%n", "%%", "${");
  }

  @Command(
      name = "x",
      description = {"First.", "", ".Second, 100 %% of it."})
  private static final class Example implements Runnable {
    @Option(
        names = {"-n", "--number"},
        paramLabel = "N",
        defaultValue = "7",
        description = "How many. Default: ${DEFAULT-VALUE}.")
    private int number;

    @Option(names = "--secret", hidden = true)
    private boolean secret;

    @Parameters(arity = "1", paramLabel = "FILE", description = "What to read.")
    private String file = "";

    @Override
    public void run() {
      throw new UnsupportedOperationException(number + file + secret);
    }
  }

  @Test
  void writesTheLanguageOfManualPages() {
    CommandLine commandLine = new CommandLine(new Parent());
    commandLine.addSubcommand(new Example());

    assertThat(ManPage.fill(TEMPLATE, commandLine, "1", "2026-11-30"))
        .isEqualTo(
            """
            before
            .SS \\fBbhlat x\\fR [\\fIOPTION\\fR]... \\fIFILE\\fR
            First.
            .PP
            \\&.Second, 100 % of it.
            .TP
            \\fIFILE\\fR
            What to read.
            .TP
            \\fB\\-n\\fR, \\fB\\-\\-number\\fR \\fIN\\fR
            How many. Default: 7.
            after
            """);
  }

  @Command(name = "bhlat")
  private static final class Parent {}

  @Test
  void refusesATemplateThatHasNoPlaceForTheCommands() {
    assertThatThrownBy(
            () -> ManPage.fill(".SH NAME\n", CommandModel.commandLine(), "1", "2026-11-30"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lacks: .\\\" COMMANDS");
  }

  @Test
  void escapesWhatRoffWouldTakeForItsOwn() {
    assertThat(Roff.text("a\\b 'c' `d` \"e\" ~f ^g … -h"))
        .isEqualTo("a\\eb \\(aqc\\(aq \\(gad\\(ga \\(dqe\\(dq \\(tif \\(hag \\[u2026] \\-h\n");
  }

  @Test
  void fillsLinesThatItsCheckersLike() {
    assertThat(Roff.text("word ".repeat(100)).lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(76).endsWith("word"));
  }
}
