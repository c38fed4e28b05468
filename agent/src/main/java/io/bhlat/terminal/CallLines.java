// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.CallCounts;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.InterruptKey;
import io.bhlat.model.Interval;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.QueueCallKey.Request;
import io.bhlat.terminal.Table.Column;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The calls of the functions that queue: add_interrupt_randomness and queue_work_on. */
final class CallLines {

  /** Interrupts listed at most; a host may have thousands. */
  private static final int MOST_INTERRUPTS = 10;

  private final Units units;
  private final HistOptions options;

  CallLines(Units units, HistOptions options) {
    this.units = units;
    this.options = options;
  }

  void addTo(Page page, Interval interval, ProbePlan plan) {
    CallCounts calls = interval.counts().calls();
    if (options.shows(Measurement.INTERRUPT_RANDOMNESS) && calls.totalInterrupts().calls() > 0) {
      page.gap();
      page.wrapped(randomness(calls), 2);
      page.lines(
          interrupts(calls, interval, plan.probesFunctions(Measurement.INTERRUPT_RANDOMNESS)));
    }
    if (options.shows(Measurement.QUEUE_WORK_ON) && !calls.queueWorkOn().isEmpty()) {
      page.gap();
      page.lines(queueWorkOn(calls, plan.probesFunctions(Measurement.QUEUE_WORK_ON)));
    }
  }

  private String randomness(CallCounts calls) {
    InterruptCalls all = calls.totalInterrupts();
    LatencyHistogram time = calls.totalTimeInInterrupt();
    String counted = "add_interrupt_randomness: called " + units.count(all.calls()) + " times";
    return time.isEmpty()
        ? counted
        : "%s, %s of them queued a mixing; time in the interrupt: mean %s, p99 %s %s, max %s"
            .formatted(
                counted,
                units.count(all.mixings()),
                units.mean(time),
                units.glyphs().atMost(),
                units.bareQuantile(time, 0.99),
                units.maximum(time));
  }

  private List<String> interrupts(CallCounts calls, Interval interval, boolean seesMixings) {
    Map<InterruptKey, InterruptCalls> shown = new TreeMap<>();
    calls
        .interrupts()
        .forEach(
            (key, count) ->
                shown.merge(
                    options.perCpu() ? key : new InterruptKey(0, key.irq(), key.device()),
                    count,
                    InterruptCalls::plus));
    List<Column> shape = new ArrayList<>();
    shape.add(Column.name("  interrupt", Integer.MAX_VALUE, 12));
    shape.add(Column.number("calls"));
    shape.add(Column.number("rate"));
    if (seesMixings) {
      shape.add(Column.number("mixings"));
    }
    Table table = new Table(shape, units.glyphs());
    shown.entrySet().stream()
        .filter(entry -> entry.getValue().calls() > 0)
        .sorted(Comparator.comparingLong(entry -> -entry.getValue().calls()))
        .limit(MOST_INTERRUPTS)
        .forEach(
            entry -> {
              List<String> cells = new ArrayList<>();
              cells.add("  " + name(entry.getKey()));
              cells.add(units.shortCount(entry.getValue().calls()));
              cells.add(units.rate(interval.perSecond(entry.getValue().calls())));
              if (seesMixings) {
                cells.add(units.shortCount(entry.getValue().mixings()));
              }
              table.row(cells);
            });
    return table.render(options.columns());
  }

  private String name(InterruptKey key) {
    return key.irqLabel()
        + (key.device().isEmpty() ? "" : " " + key.device())
        + (options.perCpu() ? ", CPU " + key.cpu() : "");
  }

  private List<String> queueWorkOn(CallCounts calls, boolean seesPending) {
    List<Column> shape = new ArrayList<>();
    shape.add(Column.name("queue_work_on, for", Integer.MAX_VALUE, 12));
    shape.add(Column.number("queued"));
    if (seesPending) {
      shape.add(Column.number("already pending"));
    }
    Table table = new Table(shape, units.glyphs());
    for (Request request : Request.values()) {
      long queued = calls.queueWorkOn(request, true);
      long pending = calls.queueWorkOn(request, false);
      if (queued > 0 || pending > 0) {
        List<String> cells = new ArrayList<>();
        cells.add("  " + request.label().replace('_', ' '));
        cells.add(units.shortCount(queued));
        if (seesPending) {
          cells.add(units.shortCount(pending));
        }
        table.row(cells);
      }
    }
    return table.render(options.columns());
  }
}
