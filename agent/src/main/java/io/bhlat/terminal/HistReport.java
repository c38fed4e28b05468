// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.Interval;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text that {@code bhlat hist} prints for one interval. Immutable; any thread. */
public final class HistReport {

  private final Units units;
  private final HistOptions options;

  /** A report in these units with these parts. */
  public HistReport(Units units, HistOptions options) {
    this.units = units;
    this.options = options;
  }

  /** The report, with a line feed at the end of every line. */
  public String render(ReportHeader header, Interval interval, ProbePlan plan) {
    Page page = new Page(options.columns(), units.glyphs());
    page.wrapped(headline(header, interval), 2);
    SummaryTable summary = new SummaryTable(units, options, interval);
    if (!summary.isEmpty()) {
      page.gap();
      page.lines(summary.queueLatency());
      List<String> serviceTime = summary.serviceTime();
      if (!serviceTime.isEmpty()) {
        page.gap();
        page.lines(serviceTime);
      }
    }
    addIdle(page, interval, plan, summary.isEmpty());
    addHistograms(page, interval);
    new FunctionTable(units, options).addTo(page, interval);
    new CallLines(units, options).addTo(page, interval, plan);
    new LossLines(units, options).addTo(page, interval.counts());
    new AccountLines(units, options).addTo(page, interval.counts(), plan);
    PlanLines.addTo(page, plan, options);
    return page.toString();
  }

  private String headline(ReportHeader header, Interval interval) {
    return Stream.of(
            "bhlat hist",
            header.hostname(),
            "Linux " + header.kernelRelease(),
            "CPUs " + header.cpus(),
            duration(interval) + " from " + interval.from().truncatedTo(ChronoUnit.SECONDS))
        .map(part -> part.replace(' ', Page.NO_BREAK))
        .collect(Collectors.joining(" " + units.glyphs().separator() + " "));
  }

  private String duration(Interval interval) {
    return units.duration(interval.durationNs());
  }

  /** Says of each class that was asked for and counted nothing why that is. */
  private void addIdle(Page page, Interval interval, ProbePlan plan, boolean nothingShown) {
    List<WorkClass> idle =
        Arrays.stream(WorkClass.values())
            .filter(options.asked()::contains)
            .filter(workClass -> interval.counts().total(workClass).isNone())
            .toList();
    if (!idle.isEmpty() || nothingShown) {
      page.gap();
    }
    for (WorkClass workClass : idle) {
      String why =
          PlanLines.whyNotMeasured(plan, Measurement.of(workClass))
              .orElse("nothing ran in " + duration(interval));
      page.wrapped(workClass.label() + ": " + why, 2);
    }
    if (nothingShown && idle.isEmpty()) {
      page.line("nothing ran in " + duration(interval));
    }
  }

  private void addHistograms(Page page, Interval interval) {
    for (WorkKey key : WorkKey.ALL) {
      WorkCounts counts = interval.counts().total(key);
      LatencyHistogram latency = counts.queueLatency();
      boolean drawn =
          options.shows(key.workClass()) && options.histograms().contains(key.workClass());
      if (!drawn || latency.isEmpty()) {
        continue;
      }
      page.gap();
      page.wrapped(
          "%s, queue latency: %s counted, mean %s, max %s"
              .formatted(
                  key, units.count(latency.count()), units.mean(latency), units.maximum(latency)),
          2);
      page.lines(new AsciiHistogram(units, options.cellsPerRow()).render(latency, page.columns()));
      addActivation(page, counts.activationLatency());
    }
  }

  private void addActivation(Page page, LatencyHistogram activation) {
    if (!activation.isEmpty()) {
      page.wrapped(
          "of that waiting for max_active: mean %s, p99 %s, max %s"
              .formatted(
                  units.mean(activation),
                  units.bound(activation.quantileCell(0.99)),
                  units.maximum(activation)),
          2);
    }
  }
}
