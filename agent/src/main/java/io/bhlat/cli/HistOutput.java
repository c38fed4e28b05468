// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.FunctionPatterns;
import io.bhlat.metrics.HostLabels;
import io.bhlat.metrics.OpenMetricsDump;
import io.bhlat.model.Interval;
import io.bhlat.model.WorkClass;
import io.bhlat.terminal.FunctionFilter;
import io.bhlat.terminal.HistJson;
import io.bhlat.terminal.HistOptions;
import io.bhlat.terminal.HistReport;
import io.bhlat.terminal.ReportHeader;
import io.bhlat.trace.ProbePlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Prints intervals in the chosen format, wherever they come from. Used by one thread. */
final class HistOutput {

  /** What is printed instead of text, if anything is. */
  enum Format {
    TEXT,
    JSON,
    OPEN_METRICS
  }

  /**
   * What was asked for.
   *
   * @param classes the classes to print; empty: all
   * @param function of functions, those in whose name it is found; absent: the busiest
   * @param maxFunctions how many these are
   * @param names which functions are told by name at all
   */
  record Settings(
      Format format,
      Set<WorkClass> classes,
      boolean perCpu,
      boolean perContext,
      Optional<Pattern> function,
      int maxFunctions,
      FunctionPatterns names) {}

  private final Terminal terminal;
  private final Settings settings;
  private final ReportHeader header;
  private final ProbePlan plan;
  private final HistReport report;
  private final HistJson json;

  /**
   * Prints nothing yet.
   *
   * @param header of the host that was measured
   * @param plan what was measured
   */
  HistOutput(Terminal terminal, Settings settings, ReportHeader header, ProbePlan plan) {
    this.terminal = terminal;
    this.settings = settings;
    this.header = header;
    this.plan = plan;
    HistOptions options =
        settings.classes.isEmpty()
            ? HistOptions.everything(terminal.columns())
            : HistOptions.only(settings.classes, terminal.columns());
    this.report =
        new HistReport(
            terminal.units(),
            options.withPerCpu(settings.perCpu).withPerContext(settings.perContext));
    this.json = new HistJson(settings.classes, settings.perCpu);
  }

  /** Prints one interval; false if nobody reads any more. */
  boolean interval(Interval span) {
    if (settings.format == Format.OPEN_METRICS) {
      return true;
    }
    return print(HistJson.Kind.INTERVAL, span);
  }

  /** Prints the whole. */
  void total(Interval span, HostLabels labels) throws IOException {
    if (settings.format == Format.OPEN_METRICS) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      Interval shown = selected(span);
      OpenMetricsDump.write(
          shown.counts(), plan, shown.from(), labels, settings.maxFunctions, text);
      terminal.print(text.toByteArray());
    } else {
      print(HistJson.Kind.TOTAL, span);
    }
  }

  private boolean print(HistJson.Kind kind, Interval span) {
    Interval shown = selected(span);
    if (settings.format == Format.JSON) {
      return terminal.print(
          json.render(kind, header, shown, plan).getBytes(StandardCharsets.UTF_8));
    }
    return terminal.print(report.render(header, shown, plan));
  }

  /** The functions that were asked for, or the busiest. */
  private Interval selected(Interval span) {
    return new Interval(
        span.from(),
        span.to(),
        span.durationNs(),
        settings
            .function
            .map(pattern -> FunctionFilter.matching(span.counts(), pattern))
            .orElseGet(
                () -> Tracing.busiest(span.counts(), settings.maxFunctions, settings.names)));
  }
}
