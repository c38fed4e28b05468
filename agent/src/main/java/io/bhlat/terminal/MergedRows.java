// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;

/**
 * The cells of a histogram merged into rows: row 0 is underflow, the last row overflow, and the
 * rows between hold as many finite buckets each as said. Both ends stay by themselves.
 */
final class MergedRows {

  private static final int FINITE_CELLS = LatencyBuckets.CELLS - 2;

  private final int cellsPerRow;
  private final long[] counts;

  private MergedRows(int cellsPerRow, long[] counts) {
    this.cellsPerRow = cellsPerRow;
    this.counts = counts;
  }

  /** Merges; {@code cellsPerRow} divides 8. */
  static MergedRows of(LatencyHistogram histogram, int cellsPerRow) {
    MergedRows merged = new MergedRows(cellsPerRow, new long[FINITE_CELLS / cellsPerRow + 2]);
    for (int cell = 0; cell < LatencyBuckets.CELLS; cell++) {
      merged.counts[merged.rowOf(cell)] += histogram.countInCell(cell);
    }
    return merged;
  }

  int rowOf(int cell) {
    if (cell == LatencyBuckets.OVERFLOW_CELL) {
      return counts.length - 1;
    }
    return cell == LatencyBuckets.UNDERFLOW_CELL ? 0 : 1 + (cell - 1) / cellsPerRow;
  }

  int size() {
    return counts.length;
  }

  long count(int row) {
    return counts[row];
  }

  boolean isUnderflow(int row) {
    return row == 0;
  }

  boolean isOverflow(int row) {
    return row == counts.length - 1;
  }

  /** The cell whose upper bound is the row's inclusive upper bound. */
  int upperCell(int row) {
    return isOverflow(row) ? LatencyBuckets.OVERFLOW_CELL : row * cellsPerRow;
  }

  /** The cell whose upper bound is the row's exclusive lower bound; not for underflow. */
  int lowerCell(int row) {
    return (row - 1) * cellsPerRow;
  }

  /** The first row that counted anything, or {@link #size} where none did. */
  int firstUsed() {
    int row = 0;
    while (row < counts.length && counts[row] == 0) {
      row++;
    }
    return row;
  }

  /** The last row that counted anything, or −1 where none did. */
  int lastUsed() {
    int row = counts.length - 1;
    while (row >= 0 && counts[row] == 0) {
      row--;
    }
    return row;
  }

  /** The largest count of a row. */
  long largest() {
    long largest = 0;
    for (long count : counts) {
      largest = Math.max(largest, count);
    }
    return largest;
  }
}
