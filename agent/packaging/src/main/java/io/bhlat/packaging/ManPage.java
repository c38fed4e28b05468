// SPDX-License-Identifier: Apache-2.0
package io.bhlat.packaging;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual page: a template written by hand, into which goes what the command line knows of
 * itself. So an option cannot be missing, nor one be described that is no more.
 */
final class ManPage {

  /** The line of the template that the commands replace. */
  static final String COMMANDS = ".\\\" COMMANDS\n";

  /** Two words of the template, for its heading. */
  private static final String DATE = "@DATE@";

  private static final String VERSION = "@VERSION@";

  private ManPage() {}

  /**
   * Fills a template.
   *
   * @param template roff, with {@link #COMMANDS} once
   * @param commandLine whose subcommands to describe
   * @param version for the page's foot
   * @param date for the page's foot, as 2026-11-30
   * @throws IllegalArgumentException if the template has no place for the commands
   */
  static String fill(String template, CommandLine commandLine, String version, String date) {
    if (!template.contains(COMMANDS)) {
      throw new IllegalArgumentException("the template of the manual page lacks: " + COMMANDS);
    }
    String commands =
        commandLine.getSubcommands().entrySet().stream()
            .filter(command -> !command.getValue().getCommandSpec().usageMessage().hidden())
            .sorted(Map.Entry.comparingByKey())
            .map(command -> describe(command.getValue().getCommandSpec()))
            .collect(Collectors.joining());
    return template.replace(COMMANDS, commands).replace(VERSION, version).replace(DATE, date);
  }

  private static String describe(CommandSpec command) {
    StringBuilder roff = new StringBuilder();
    String name = "bhlat " + command.name();
    roff.append(".SS ").append(Roff.bold(name)).append(synopsisTail(command)).append('\n');
    roff.append(paragraphs(lines(command.usageMessage().description())));
    command.positionalParameters().stream()
        .filter(parameter -> !parameter.hidden())
        .forEach(parameter -> roff.append(describe(parameter)));
    command.options().stream()
        .filter(option -> !option.hidden())
        .sorted(Comparator.comparing(option -> option.longestName().replaceFirst("^-+", "")))
        .forEach(option -> roff.append(describe(option)));
    return roff.toString();
  }

  private static String synopsisTail(CommandSpec command) {
    StringBuilder tail = new StringBuilder(" [").append(Roff.italic("OPTION")).append("]...");
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      if (!parameter.hidden()) {
        String label = Roff.italic(parameter.paramLabel());
        tail.append(' ').append(parameter.required() ? label : "[" + label + "]");
      }
    }
    return tail.toString();
  }

  private static String describe(PositionalParamSpec parameter) {
    return ".TP\n"
        + Roff.italic(parameter.paramLabel())
        + "\n"
        + Roff.text(String.join("\n", lines(parameter.description())));
  }

  private static String describe(OptionSpec option) {
    String names =
        Arrays.stream(option.names())
            .sorted(Comparator.comparing(String::length))
            .map(Roff::bold)
            .collect(Collectors.joining(", "));
    String value = option.arity().max() == 0 ? "" : " " + Roff.italic(option.paramLabel());
    String description =
        String.join("\n", lines(option.description()))
            .replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValueString(true)));
    return ".TP\n" + names + value + "\n" + Roff.text(description);
  }

  /** Blank lines part paragraphs, and end none. */
  private static String paragraphs(List<String> lines) {
    return Arrays.stream(String.join("\n", lines).strip().split("\n\\s*\n", -1))
        .map(Roff::text)
        .collect(Collectors.joining(".PP\n"));
  }

  /** As String.format would have them: picocli's texts are formats. */
  private static List<String> lines(String[] formats) {
    return Arrays.stream(formats).map(line -> line.replace("%n", "\n").replace("%%", "%")).toList();
  }
}
