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
  private static final double[] MARKED = {0.5, 0.9, 0.99, 0.999};
  private static final String[] MARKS = {"p50", "p90", "p99", "p99.9"};

  private final Units units;
  private final int cellsPerRow;

  AsciiHistogram(Units units, int cellsPerRow) {
    this.units = units;
    this.cellsPerRow = cellsPerRow;
  }

  /** The rows from the first to the last that counted anything; no lines for no counts. */
  List<String> render(LatencyHistogram histogram, int columns) {
    MergedRows rows = MergedRows.of(histogram, cellsPerRow);
    List<String> marks = marks(histogram, rows);
    Table table =
        new Table(
            List.of(
                Table.Column.number("latency"),
                Table.Column.number("count"),
                Table.Column.number("share")),
            units.glyphs());
    for (int row = rows.firstUsed(); row <= rows.lastUsed(); row++) {
      table.row(
          List.of(
              range(rows, row),
              units.shortCount(rows.count(row)),
              units.roundPercent((double) rows.count(row) / histogram.count())));
    }
    List<String> numbers = table.render(columns);
    int taken =
        numbers.get(0).length() + 3 + marks.stream().mapToInt(String::length).max().orElse(0) + 2;
    int bar = Math.min(WIDEST_BAR, columns - taken);
    List<String> lines = new ArrayList<>();
    lines.add(numbers.get(0));
    for (int at = 1; at < numbers.size(); at++) {
      int row = rows.firstUsed() + at - 1;
      String drawn = units.glyphs().bar((double) rows.count(row) / rows.largest(), bar);
      lines.add((numbers.get(at) + "  |" + drawn + "  " + marks.get(row)).stripTrailing());
    }
    return rows.lastUsed() < 0 ? List.of() : lines;
  }

  private String range(MergedRows rows, int row) {
    int upper = rows.upperCell(row);
    if (rows.isUnderflow(row)) {
      return "underflow  " + units.bound(upper) + " ";
    }
    if (rows.isOverflow(row)) {
      return "overflow  " + units.bareBound(LatencyBuckets.OVERFLOW_CELL) + " ";
    }
    return "("
        + aligned(units.bareBound(rows.lowerCell(row)))
        + ", "
        + aligned(units.bareBound(upper))
        + "]";
  }

  private static String aligned(String bound) {
    return " ".repeat(Math.max(0, 7 - bound.length())) + bound;
  }

  private static List<String> marks(LatencyHistogram histogram, MergedRows rows) {
    List<String> marks = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      List<String> here = new ArrayList<>();
      for (int q = 0; q < MARKED.length; q++) {
        if (rows.rowOf(histogram.quantileCell(MARKED[q])) == row) {
          here.add(MARKS[q]);
        }
      }
      marks.add(String.join(" ", here));
    }
    return marks;
  }
}
