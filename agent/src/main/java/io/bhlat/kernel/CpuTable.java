// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The form that /proc/interrupts and /proc/softirqs share.
 *
 * <pre>
 *              CPU0       CPU2       one column for each CPU named, not for each number
 *    TIMER:    3830       5581       label, a count for each column, then any text
 *      ERR:       0                  some rows have fewer counts
 * </pre>
 *
 * <p>Immutable: the arrays are never changed after parsing and stay in this package.
 */
final class CpuTable {

  /** One line. */
  static final class Row {
    private final String label;
    private final long[] counts;
    private final String text;

    private Row(String label, long[] counts, String text) {
      this.label = label;
      this.counts = counts;
      this.text = text;
    }

    String label() {
      return label;
    }

    /** By column; shorter than there are columns if the row has fewer. */
    long[] counts() {
      return counts;
    }

    String text() {
      return text;
    }
  }

  private final int[] cpus;
  private final List<Row> rows;

  private CpuTable(int[] cpus, List<Row> rows) {
    this.cpus = cpus;
    this.rows = rows;
  }

  /** The CPU numbers of the columns. */
  int[] cpus() {
    return cpus;
  }

  List<Row> rows() {
    return rows;
  }

  /**
   * Takes the text apart.
   *
   * @param path where it was read, for the message
   * @throws HostReadException if the first line names no CPUs or another one has no label
   */
  static CpuTable parse(Path path, String table) {
    List<String> lines = table.lines().toList();
    if (lines.isEmpty() || lines.get(0).isBlank()) {
      throw new HostReadException(path, "it is empty");
    }
    int[] cpus =
        Arrays.stream(lines.get(0).strip().split("\\s+", -1))
            .mapToInt(column -> cpu(path, column))
            .toArray();
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (!line.isBlank()) {
        rows.add(row(path, line, cpus.length));
      }
    }
    return new CpuTable(cpus, List.copyOf(rows));
  }

  /** The column of a CPU; -1 if it has none, because it is offline. */
  int column(int cpu) {
    for (int column = 0; column < cpus.length; column++) {
      if (cpus[column] == cpu) {
        return column;
      }
    }
    return -1;
  }

  private static int cpu(Path path, String column) {
    if (!column.matches("CPU\\d{1,6}")) {
      throw new HostReadException(path, "its first line names no CPU: \"" + column + "\"");
    }
    return Integer.parseInt(column.substring(3));
  }

  private static Row row(Path path, String line, int columns) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      throw new HostReadException(path, "a line has no label: \"" + line + "\"");
    }
    long[] counts = new long[columns];
    int count = 0;
    int position = colon + 1;
    while (count < columns) {
      int start = skip(line, position, ' ');
      int end = start;
      while (end < line.length() && line.charAt(end) >= '0' && line.charAt(end) <= '9') {
        end++;
      }
      // A word that only begins with a digit ("0-edge") belongs to the text.
      boolean isNumber = end > start && (end == line.length() || line.charAt(end) == ' ');
      if (!isNumber || end - start > 18) {
        break;
      }
      counts[count++] = Long.parseLong(line, start, end, 10);
      position = end;
    }
    return new Row(
        line.substring(0, colon).strip(),
        Arrays.copyOf(counts, count),
        line.substring(position).strip());
  }

  private static int skip(String line, int from, char c) {
    int position = from;
    while (position < line.length() && line.charAt(position) == c) {
      position++;
    }
    return position;
  }
}
