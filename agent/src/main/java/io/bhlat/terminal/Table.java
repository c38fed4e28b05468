// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows of text in columns that are as wide as they need to be and fit the terminal. Made, filled
 * and rendered by one thread.
 *
 * <p>What does not fit goes in this order: optional columns, the last rank first; the wide gaps
 * between columns; the middle of names.
 */
final class Table {

  private static final int REQUIRED = 0;
  private static final int WIDE_GAP = 2;
  private static final int NARROW_GAP = 1;

  /**
   * A column.
   *
   * @param heading its heading
   * @param rightAligned numbers are, names are not
   * @param rank 0 for a required column; of the others the lower are kept first
   * @param preferredWidth the width beyond which it does not push out other columns
   * @param leastWidth the width that it is cut to at most
   */
  record Column(
      String heading, boolean rightAligned, int rank, int preferredWidth, int leastWidth) {

    static Column number(String heading) {
      return new Column(heading, true, REQUIRED, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    static Column optional(String heading, int rank) {
      return new Column(heading, true, rank, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    static Column optionalText(String heading, int rank) {
      return new Column(heading, false, rank, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    static Column name(String heading, int preferredWidth, int leastWidth) {
      return new Column(heading, false, REQUIRED, preferredWidth, leastWidth);
    }
  }

  private final List<Column> columns;
  private final Glyphs glyphs;
  private final List<List<String>> rows = new ArrayList<>();

  Table(List<Column> columns, Glyphs glyphs) {
    this.columns = List.copyOf(columns);
    this.glyphs = glyphs;
    rows.add(columns.stream().map(Column::heading).toList());
  }

  void row(List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(cells.size() + " cells for " + columns.size());
    }
    rows.add(List.copyOf(cells));
  }

  /** The lines, the headings first. */
  List<String> render(int width) {
    int[] natural = new int[columns.size()];
    for (List<String> row : rows) {
      for (int c = 0; c < natural.length; c++) {
        natural[c] = Math.max(natural[c], row.get(c).length());
      }
    }
    int[] widths = natural.clone();
    for (int c = 0; c < widths.length; c++) {
      widths[c] = Math.min(widths[c], columns.get(c).preferredWidth());
    }
    List<Integer> shown = choose(widths, width);
    int gap = total(shown, widths, WIDE_GAP) <= width ? WIDE_GAP : NARROW_GAP;
    fit(shown, widths, natural, width - total(shown, new int[widths.length], gap));
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(line(row, shown, widths, gap));
    }
    return lines;
  }

  private List<Integer> choose(int[] widths, int width) {
    List<Integer> shown = new ArrayList<>();
    List<Integer> optional = new ArrayList<>();
    IntStream.range(0, columns.size())
        .forEach(c -> (columns.get(c).rank() == REQUIRED ? shown : optional).add(c));
    optional.sort(Comparator.comparing(c -> columns.get(c).rank()));
    for (int c : optional) {
      shown.add(c);
      if (total(shown, widths, WIDE_GAP) > width) {
        shown.remove(shown.size() - 1);
      }
    }
    Collections.sort(shown);
    return shown;
  }

  /** Gives names what is left of the width, or takes from the widest what is missing. */
  private void fit(List<Integer> shown, int[] widths, int[] natural, int available) {
    int left = available - shown.stream().mapToInt(c -> widths[c]).sum();
    while (left != 0) {
      int step = Integer.signum(left);
      int chosen = -1;
      for (int c : shown) {
        boolean movable =
            step > 0
                ? widths[c] < natural[c]
                : widths[c] > Math.min(natural[c], columns.get(c).leastWidth());
        if (movable && (chosen < 0 || step * widths[c] < step * widths[chosen])) {
          chosen = c;
        }
      }
      if (chosen < 0) {
        return;
      }
      widths[chosen] += step;
      left -= step;
    }
  }

  private static int total(List<Integer> shown, int[] widths, int gap) {
    return shown.stream().mapToInt(c -> widths[c]).sum() + gap * (shown.size() - 1);
  }

  private String line(List<String> row, List<Integer> shown, int[] widths, int gap) {
    StringBuilder line = new StringBuilder();
    for (int c : shown) {
      line.append(line.isEmpty() ? "" : " ".repeat(gap));
      String cell = cut(row.get(c), widths[c]);
      String blanks = " ".repeat(widths[c] - cell.length());
      line.append(columns.get(c).rightAligned() ? blanks + cell : cell + blanks);
    }
    return line.toString().stripTrailing();
  }

  /**
   * Cuts out the middle, since what tells names apart is often their end; but of a symbol with its
   * module the end, since the symbol says more.
   */
  private String cut(String cell, int width) {
    if (cell.length() <= width) {
      return cell;
    }
    int symbol = cell.indexOf(" [");
    int tail = symbol >= 0 && symbol < width ? 0 : (width - 1) / 2;
    int head = width - 1 - tail;
    return cell.substring(0, head) + glyphs.ellipsis() + cell.substring(cell.length() - tail);
  }
}
