// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.FunctionPatterns;
import io.bhlat.model.Interval;
import io.bhlat.model.LossReason;
import io.bhlat.model.Snapshot;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.terminal.Progress;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.bcc.LiveSource;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bhlat hist}: measures for a while and prints. */
@Command(
    name = "hist",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Measures for a while and prints queue latencies, service times and histograms.",
      "",
      "Queue latency is the time from queueing to the start, service time from there to the end."
          + " Quantiles are the bounds of their bucket: p99 of <= 65.5 us means that at least 99 %% of"
          + " the latencies were no longer. Ctrl-C ends early and prints what was counted so far.",
      "",
      "Where `bhlat serve` runs, --from-daemon prints what it has counted lately, at no cost to the"
          + " kernel.",
      ""
    })
final class HistCommand implements Callable<Integer> {

  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
  private static final Duration SETTLING = Duration.ofMillis(50);

  private final Terminal terminal;
  private final StopSignal stop;

  @Mixin private TraceFlags trace = new TraceFlags();

  @Mixin private DaemonFlags daemon = new DaemonFlags();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--recording",
      paramLabel = "FILE",
      description = "Print what a file of `bhlat record` holds instead of measuring.")
  private @Nullable Path recording;

  @Option(
      names = {"-d", "--duration"},
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10s",
      description = "How long to measure: 500ms, 10s, 5m, 2h. Default: ${DEFAULT-VALUE}.")
  private Duration duration = Duration.ofSeconds(10);

  @Option(
      names = {"-i", "--interval"},
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Print each interval of that length too, before the total.")
  private @Nullable Duration interval;

  @Option(names = "--per-cpu", description = "Print a line for each CPU too.")
  private boolean perCpu;

  @Option(
      names = "--per-context",
      description =
          "Print a line for each context that ran softirqs or the fast pool's mixing too: irq_exit,"
              + " ksoftirqd, ktimers, irq_thread, task, kworker.")
  private boolean perContext;

  @Option(
      names = "--function",
      paramLabel = "REGEX",
      converter = PatternConverter.class,
      description = "List only functions whose name contains a match of this regular expression.")
  private @Nullable Pattern function;

  @ArgGroup(exclusive = true)
  private Format format = new Format();

  /** What to print instead of text. */
  static final class Format {
    @Option(names = "--json", description = "Print one JSON object a line; see docs/JSON.md.")
    boolean json;

    @Option(
        names = "--openmetrics",
        description = "Print the total as OpenMetrics text; see docs/METRICS.md.")
    boolean openMetrics;
  }

  HistCommand(Terminal terminal, StopSignal stop) {
    this.terminal = terminal;
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException {
    if (recording != null) {
      return printFile(recording);
    }
    if (daemon.isAsked()) {
      return printFromDaemon();
    }
    daemon.requireNone();
    return measure();
  }

  private int printFile(Path file) throws IOException {
    refuseWhatMeasures("--recording");
    if (daemon.isAsked() || daemon.since != null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--recording prints a file, all of it: not with --from-daemon or --since");
    }
    if (Files.isDirectory(file)) {
      throw new CommandFailure(
          ExitCode.CANNOT, "read " + file + ": EISDIR; name a file of `bhlat record`");
    }
    InputStream in;
    try {
      in = new BufferedInputStream(Files.newInputStream(file));
    } catch (NoSuchFileException e) {
      throw new CommandFailure(
          ExitCode.CANNOT, "read " + file + ": ENOENT; name a file of `bhlat record`", e);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.CANNOT, "read " + file + ": " + e.getMessage(), e);
    }
    RecordedHist.Printed printed = recorded().print(in, file.toString());
    return printed.damaged()
        ? ExitCode.INCOMPLETE
        : exitCode(printed.header().plan(), printed.total());
  }

  private int printFromDaemon() throws IOException {
    refuseWhatMeasures("--from-daemon");
    DaemonClient client = daemon.client();
    Optional<Duration> since = Optional.ofNullable(daemon.since);
    RecordedHist.Printed printed = recorded().print(client.recording(since), client.address());
    int coverage = Coverage.exitCode(terminal, since, printed.total());
    int measured = exitCode(printed.header().plan(), printed.total());
    return printed.damaged() ? ExitCode.INCOMPLETE : Math.max(coverage, measured);
  }

  private RecordedHist recorded() {
    return new RecordedHist(terminal, settings(), Optional.ofNullable(interval));
  }

  /** What has been measured already cannot be measured otherwise. */
  private void refuseWhatMeasures(String instead) {
    for (String option : List.of("--duration", "--max-pending", "--max-pending-age")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new CommandFailure(
            ExitCode.USAGE,
            option
                + " is about measuring, and "
                + instead
                + " prints what was measured already"
                + (option.equals("--duration") && instead.equals("--from-daemon")
                    ? "; choose a part of it by --since"
                    : ""));
      }
    }
  }

  private HistOutput.Settings settings() {
    FunctionPatterns names = trace.config().functions(); // It may change what the flags say.
    return new HistOutput.Settings(
        format.json
            ? HistOutput.Format.JSON
            : format.openMetrics ? HistOutput.Format.OPEN_METRICS : HistOutput.Format.TEXT,
        trace.classes,
        perCpu,
        perContext,
        Optional.ofNullable(function),
        trace.maxFunctions,
        names);
  }

  private int measure() throws IOException {
    Host host = new Host();
    try (LiveSource source = Tracing.open(host, trace, terminal)) {
      HistOutput output = new HistOutput(terminal, settings(), host.reportHeader(), source.plan());
      source.snapshot(); // the first is slow, and what comes meanwhile would be half in, half out
      // What was queued or running when the probes came has ended by then.
      stop.await(SETTLING);
      Snapshot first = source.snapshot();
      Snapshot previous = measure(source, first, output);
      // Before detaching: what is queued or starts while probes go one by one looks like lost.
      Snapshot last = source.snapshot();
      source.detach();
      if (interval != null) {
        output.interval(last.since(previous));
      }
      Interval total = last.since(first);
      output.total(total, host.labels());
      return exitCode(source.plan(), total);
    }
  }

  /**
   * Until the time is over, a signal comes or nobody reads any more.
   *
   * @return where the last interval begins, which is not printed yet
   */
  private Snapshot measure(LiveSource source, Snapshot first, HistOutput output) {
    Progress progress =
        new Progress(
            terminal.err(), terminal.errIsTerminal(), terminal.units(), terminal.columns());
    long endNs = first.takenAtNs() + duration.toNanos();
    long dueNs = interval == null ? Long.MAX_VALUE : first.takenAtNs() + interval.toNanos();
    Snapshot previous = first;
    while (true) {
      long nowNs = System.nanoTime();
      long waitNs = Math.min(Math.min(endNs, dueNs) - nowNs, PROGRESS_INTERVAL.toNanos());
      boolean stopped = waitNs > 0 && stop.await(Duration.ofNanos(waitNs));
      if (stopped || System.nanoTime() >= endNs) {
        progress.erase();
        return previous;
      }
      // Taken every second though nobody may see it: it removes stamps that are too old.
      Snapshot current = source.snapshot();
      if (interval != null && current.takenAtNs() >= dueNs) {
        dueNs += interval.toNanos();
        progress.erase();
        if (!output.interval(current.since(previous))) {
          return previous;
        }
        previous = current;
      }
      Interval soFar = current.since(first);
      progress.show(Duration.ofNanos(soFar.durationNs()), Optional.of(duration), soFar.counts());
    }
  }

  private static int exitCode(ProbePlan plan, Interval total) {
    WorkCounts all = WorkCounts.NONE;
    for (WorkClass workClass : WorkClass.values()) {
      all = all.plus(total.counts().total(workClass));
    }
    boolean lost =
        all.lost().count(LossReason.PENDING_FULL) > 0
            || all.lost().count(LossReason.PENDING_BUSY) > 0
            || all.lost().count(LossReason.RUNNING_FULL) > 0;
    return lost || !plan.isComplete() ? ExitCode.INCOMPLETE : ExitCode.OK;
  }
}
