// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.metrics.OpenMetricsDump;
import io.bhlat.model.Interval;
import io.bhlat.model.LossReason;
import io.bhlat.model.Snapshot;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.terminal.FunctionFilter;
import io.bhlat.terminal.HistJson;
import io.bhlat.terminal.HistOptions;
import io.bhlat.terminal.HistReport;
import io.bhlat.terminal.Progress;
import io.bhlat.terminal.ReportHeader;
import io.bhlat.trace.bcc.LiveSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
      ""
    })
final class HistCommand implements Callable<Integer> {

  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
  private static final Duration SETTLING = Duration.ofMillis(50);

  private final Terminal terminal;
  private final StopSignal stop;

  @Mixin private TraceFlags trace = new TraceFlags();

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
    Host host = new Host();
    try (LiveSource source = Tracing.open(host, trace, terminal)) {
      HistOutput output = new HistOutput(host.reportHeader(), source);
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
      output.total(total, host);
      return exitCode(source, total);
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

  private int exitCode(LiveSource source, Interval total) {
    WorkCounts all = WorkCounts.NONE;
    for (WorkClass workClass : WorkClass.values()) {
      all = all.plus(total.counts().total(workClass));
    }
    boolean lost =
        all.lost().count(LossReason.PENDING_FULL) > 0
            || all.lost().count(LossReason.PENDING_BUSY) > 0
            || all.lost().count(LossReason.RUNNING_FULL) > 0;
    return lost || !source.plan().isComplete() ? ExitCode.INCOMPLETE : ExitCode.OK;
  }

  /** Prints in the chosen format. */
  private final class HistOutput {

    private final ReportHeader header;
    private final LiveSource source;
    private final HistReport report;
    private final HistJson json;

    HistOutput(ReportHeader header, LiveSource source) {
      this.header = header;
      this.source = source;
      HistOptions options =
          trace.classes.isEmpty()
              ? HistOptions.everything(terminal.columns())
              : HistOptions.only(trace.classes, terminal.columns());
      this.report =
          new HistReport(terminal.units(), options.withPerCpu(perCpu).withPerContext(perContext));
      this.json = new HistJson(trace.classes, perCpu);
    }

    /** Prints one interval; false if nobody reads any more. */
    boolean interval(Interval span) {
      if (format.openMetrics) {
        return true;
      }
      return print(HistJson.Kind.INTERVAL, span);
    }

    void total(Interval span, Host host) throws IOException {
      if (format.openMetrics) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Interval shown = selected(span);
        OpenMetricsDump.write(
            shown.counts(), source.plan(), shown.from(), host.labels(), trace.maxFunctions, text);
        terminal.print(text.toByteArray());
      } else {
        print(HistJson.Kind.TOTAL, span);
      }
    }

    private boolean print(HistJson.Kind kind, Interval span) {
      Interval shown = selected(span);
      if (format.json) {
        return terminal.print(
            json.render(kind, header, shown, source.plan())
                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
      }
      return terminal.print(report.render(header, shown, source.plan()));
    }

    /** The functions that were asked for, or the busiest. */
    private Interval selected(Interval span) {
      return new Interval(
          span.from(),
          span.to(),
          span.durationNs(),
          function == null
              ? Tracing.busiest(span.counts(), trace.maxFunctions, trace.config().functions())
              : FunctionFilter.matching(span.counts(), function));
    }
  }
}
