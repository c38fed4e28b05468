// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;

/**
 * A histogram drawn in lines of text, with the quantiles marked at the row that holds them.
 *
 * <pre>
 *   (30.5 µs, 61.0 µs]  1,234  12.3 %  |██████▌
 *   (61.0 µs,  122 µs]  8,802  87.7 %  |███████████████████████████  p50 p90
 * </pre>
 */
final class AsciiHistogram {

  private static final int WIDEST_BAR = 60;
  private static final int BOUND_WIDTH = 7;

  /** Fewer empty rows than this between others are drawn, so that distance stays visible. */
  private static final int LEAST_SKIPPED = 4;

  private static final double[] MARKED = {0.5, 0.9, 0.99, 0.999};
  private static final String[] MARKS = {"p50", "p90", "p99", "p99.9"};

  private final Units units;
  private final int cellsPerRow;

  AsciiHistogram(Units units, int cellsPerRow) {
    this.units = units;
    this.cellsPerRow = cellsPerRow;
  }

  /** What one line shows: a row, or several empty ones. */
  private record Line(int firstRow, int lastRow, String marks) {
    boolean isSkipped() {
      return firstRow < lastRow;
    }
  }

  /** The rows from the first to the last that counted anything; no lines for no counts. */
  List<String> render(LatencyHistogram histogram, int columns) {
    if (histogram.isEmpty()) {
      return List.of();
    }
    MergedRows rows = MergedRows.of(histogram, cellsPerRow);
    List<Line> lines = lines(histogram, rows);
    List<String> numbers = numbers(histogram, rows, lines, columns);
    int marks = lines.stream().mapToInt(line -> line.marks().length()).max().orElse(0);
    int bar = Math.min(WIDEST_BAR, columns - numbers.get(0).length() - "  |  ".length() - marks);
    List<String> text = new ArrayList<>();
    text.add(numbers.get(0));
    for (int at = 0; at < lines.size(); at++) {
      Line line = lines.get(at);
      double share = (double) rows.count(line.firstRow()) / rows.largest();
      String drawn =
          line.isSkipped() ? units.glyphs().skipped() : "|" + units.glyphs().bar(share, bar);
      text.add((numbers.get(at + 1) + "  " + drawn + "  " + line.marks()).stripTrailing());
    }
    return text;
  }

  private static List<Line> lines(LatencyHistogram histogram, MergedRows rows) {
    List<Line> lines = new ArrayList<>();
    int row = rows.firstUsed();
    while (row <= rows.lastUsed()) {
      int last = row;
      while (rows.count(last) == 0 && rows.count(last + 1) == 0) {
        last++;
      }
      if (last - row + 1 < LEAST_SKIPPED) {
        last = row;
      }
      lines.add(new Line(row, last, marks(histogram, rows, row)));
      row = last + 1;
    }
    return lines;
  }

  private List<String> numbers(
      LatencyHistogram histogram, MergedRows rows, List<Line> lines, int columns) {
    Table table =
        new Table(
            List.of(
                Table.Column.number("latency"),
                Table.Column.number("count"),
                Table.Column.number("share")),
            units.glyphs());
    for (Line line : lines) {
      long count = rows.count(line.firstRow());
      table.row(
          List.of(
              range(rows, line),
              units.shortCount(count),
              units.roundPercent((double) count / histogram.count())));
    }
    return table.render(columns);
  }

  /** Underflow and overflow have one bound and are named, so that none is taken for a bucket. */
  private String range(MergedRows rows, Line line) {
    int upper = rows.upperCell(line.lastRow());
    if (rows.isUnderflow(line.firstRow())) {
      return "underflow  " + units.bound(upper) + " ";
    }
    if (rows.isOverflow(line.firstRow())) {
      return "overflow  " + units.bareBound(LatencyBuckets.OVERFLOW_CELL) + " ";
    }
    String lower = aligned(units.bareBound(rows.lowerCell(line.firstRow())));
    return "(" + lower + ", " + aligned(units.bareBound(upper)) + "]";
  }

  private static String aligned(String bound) {
    return " ".repeat(Math.max(0, BOUND_WIDTH - bound.length())) + bound;
  }

  private static String marks(LatencyHistogram histogram, MergedRows rows, int row) {
    List<String> here = new ArrayList<>();
    for (int q = 0; q < MARKED.length; q++) {
      if (rows.rowOf(histogram.quantileCell(MARKED[q])) == row) {
        here.add(MARKS[q]);
      }
    }
    return String.join(" ", here);
  }
}
