// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.ConfigException;
import io.bhlat.kernel.HostReadException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the bhlat command line. */
@Command(
    name = "bhlat",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    subcommands = {
      CheckCommand.class,
      HistCommand.class,
      RecordCommand.class,
      ServeCommand.class,
      CommandLine.HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Measures how long deferred kernel work waits between being queued and being run, per CPU:"
          + " work items, tasklets, softirqs, and the mixing of interrupt randomness.",
      ""
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  bhlat check                          what can be measured here, and what stands in the way",
      "  bhlat hist                           everything, for 10 seconds",
      "  bhlat hist --class fast_pool --duration 5m",
      "  bhlat hist --json | jq '.classes[] | {work_class, p99: .queue_latency.quantiles[\"0.99\"]}'",
      "  bhlat serve                          for Prometheus, on 127.0.0.1:9971/metrics",
      "  bhlat hist --from-daemon --since 5m  what it counted in the last five minutes",
      "  bhlat record --from-daemon -o FILE   the same second by second, to keep",
      "",
      "Exit codes: 0 ok; 1 measured, but incomplete; 2 usage; 3 not permitted; 4 the kernel or the host"
          + " cannot.",
      "",
      "The launcher of a git checkout installs what is missing and builds when needed; --no-setup, or"
          + " BHLAT_NO_SETUP=1, forbids it to touch the system."
    })
final class Main {

  private Main() {}

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    LogLines.install();
    StopSignal stop = StopSignal.install();
    Terminal terminal = Terminal.ofProcess();
    int code = terminal.exitCode(commandLine(terminal, stop).execute(args));
    stop.finished(code);
    System.exit(code);
  }

  /** The command line, printing to that terminal. */
  static CommandLine commandLine(Terminal terminal, StopSignal stop) {
    CommandLine line = new CommandLine(new Main(), new Commands(terminal, stop));
    line.setOut(new PrintWriter(terminal.out(), true, terminal.charset()));
    line.setErr(new PrintWriter(terminal.err(), true, terminal.charset()));
    line.setUsageHelpWidth(Math.min(terminal.columns(), 100));
    line.setUsageHelpAutoWidth(false);
    line.setParameterExceptionHandler(new UsageErrors());
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, terminal));
    return line;
  }

  private static int failed(Exception e, Terminal terminal) {
    if (e instanceof CommandFailure failure) {
      terminal.complain(failure.text());
      return failure.exitCode();
    }
    if (e instanceof ConfigException wrong) {
      terminal.complain(wrong.text());
      return ExitCode.USAGE;
    }
    if (e instanceof HostReadException) {
      terminal.complain(String.valueOf(e.getMessage()));
      return ExitCode.CANNOT;
    }
    terminal.complain("a bug, please report it: " + e);
    e.printStackTrace(terminal.err());
    return ExitCode.CANNOT;
  }

  /** Makes the commands, with what they print to and what stops them. */
  private record Commands(Terminal terminal, StopSignal stop) implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      if (type == CheckCommand.class) {
        return type.cast(new CheckCommand(terminal));
      }
      if (type == HistCommand.class) {
        return type.cast(new HistCommand(terminal, stop));
      }
      if (type == RecordCommand.class) {
        return type.cast(new RecordCommand(terminal));
      }
      if (type == ServeCommand.class) {
        return type.cast(new ServeCommand(terminal, stop));
      }
      return CommandLine.defaultFactory().create(type);
    }
  }
}
