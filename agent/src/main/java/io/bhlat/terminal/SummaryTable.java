// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.Interval;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.terminal.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One line for each class, for softirqs each vector, that counted anything; or one a CPU too. */
final class SummaryTable {

  /**
   * What one line is about.
   *
   * @param ofContext whether it is of one context, of which only queue latencies are told
   */
  private record Row(String label, WorkCounts counts, boolean ofContext) {}

  private final Units units;
  private final Interval interval;
  private final int columns;
  private final List<Row> rows;

  SummaryTable(Units units, HistOptions options, Interval interval) {
    this.units = units;
    this.interval = interval;
    this.columns = options.columns();
    this.rows = rows(options, interval);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Queued → run. */
  List<String> queueLatency() {
    List<Column> shape = new ArrayList<>();
    shape.add(Column.name("queue latency", Integer.MAX_VALUE, 12));
    shape.add(Column.number("count"));
    shape.add(Column.optional("rate", 2));
    return render(shape, rows, WorkCounts::queueLatency, row -> List.of(count(row), rate(row)));
  }

  /** Run → end, with the share of one CPU that it takes; no lines where no end was seen. */
  List<String> serviceTime() {
    if (rows.stream().allMatch(row -> row.counts().serviceTime().isEmpty())) {
      return List.of();
    }
    List<Row> served = rows.stream().filter(row -> !row.ofContext()).toList();
    List<Column> shape = new ArrayList<>();
    shape.add(Column.name("service time", Integer.MAX_VALUE, 12));
    shape.add(Column.number("CPU"));
    shape.add(Column.optional("rate", 1));
    return render(shape, served, WorkCounts::serviceTime, row -> List.of(cpuShare(row), rate(row)));
  }

  private List<String> render(
      List<Column> shape,
      List<Row> shown,
      Function<WorkCounts, LatencyHistogram> which,
      Function<Row, List<String>> numbers) {
    Distribution distribution =
        Distribution.over(
            shown.stream().map(row -> which.apply(row.counts())).toList(), units.glyphs());
    String atMost = " " + units.glyphs().atMost();
    shape.add(Column.number("mean"));
    for (String quantile : List.of("p50", "p90", "p99", "p99.9")) {
      shape.add(Column.number(quantile + atMost));
    }
    shape.add(Column.number("max"));
    shape.add(Column.optionalText(distribution.axis(), 1));
    Table table = new Table(shape, units.glyphs());
    for (Row row : shown) {
      LatencyHistogram histogram = which.apply(row.counts());
      List<String> cells = new ArrayList<>();
      cells.add(row.label());
      cells.addAll(numbers.apply(row));
      cells.add(units.mean(histogram));
      for (double quantile : new double[] {0.5, 0.9, 0.99, 0.999}) {
        cells.add(units.bareQuantile(histogram, quantile));
      }
      cells.add(units.maximum(histogram));
      cells.add(distribution.draw(histogram));
      table.row(cells);
    }
    return table.render(columns);
  }

  private String count(Row row) {
    return units.shortCount(row.counts().started());
  }

  private String rate(Row row) {
    return units.rate(interval.perSecond(row.counts().started()));
  }

  private String cpuShare(Row row) {
    if (row.counts().serviceTime().isEmpty()) {
      return units.glyphs().none();
    }
    return units.percent((double) row.counts().serviceTime().sumNs() / interval.durationNs());
  }

  private static List<Row> rows(HistOptions options, Interval interval) {
    List<Row> rows = new ArrayList<>();
    for (WorkKey key : WorkKey.ALL) {
      WorkCounts total = interval.counts().total(key);
      if (!options.shows(key.workClass()) || total.isNone()) {
        continue;
      }
      rows.add(new Row(key.toString(), total, false));
      if (options.perContext()) {
        total
            .queueLatencyIn()
            .forEach(
                (context, latency) ->
                    rows.add(new Row("  " + context.label(), only(latency), true)));
      }
      for (int cpu : options.perCpu() ? interval.counts().cpus() : List.<Integer>of()) {
        WorkCounts counts = interval.counts().of(cpu, key);
        if (!counts.isNone()) {
          rows.add(new Row("  CPU " + cpu, counts, false));
        }
      }
    }
    return rows;
  }

  private static WorkCounts only(LatencyHistogram queueLatency) {
    return new WorkCounts(
        0, 0, LossCounts.NONE, queueLatency, LatencyHistogram.EMPTY, LatencyHistogram.EMPTY);
  }
}
