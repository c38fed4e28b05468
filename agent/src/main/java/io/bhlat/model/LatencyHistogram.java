// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Arrays;
import java.util.Objects;

/**
 * Counts of latencies in the cells of {@link LatencyBuckets}, with their sum and maximum.
 * Immutable.
 *
 * <p>The count is the sum of the cells, so that the two can never disagree, however the kernel
 * counts on while they are read (decision 0003). Only the cells from the lowest to the highest one
 * with a count are kept: a host of 256 CPUs has some ten thousand histograms.
 */
public final class LatencyHistogram {

  /** The histogram that counted nothing. */
  public static final LatencyHistogram EMPTY = new LatencyHistogram(0, new long[0], 0, 0, true);

  /** The cell that {@link #cells} begin with; both ends of these are above 0. */
  private final int firstCell;

  private final long[] cells;
  private final long count;
  private final long sumNs;
  private final long maxNs;
  private final boolean maxExact;

  private LatencyHistogram(int firstCell, long[] cells, long sumNs, long maxNs, boolean maxExact) {
    this.firstCell = firstCell;
    this.cells = cells;
    this.count = sum(cells);
    this.sumNs = sumNs;
    this.maxNs = maxNs;
    this.maxExact = maxExact;
  }

  /** A stream would take as long as all the rest of reading a histogram. */
  private static long sum(long[] cells) {
    long sum = 0;
    for (long inCell : cells) {
      sum += inCell;
    }
    return sum;
  }

  /**
   * A histogram of these counts.
   *
   * @param cells {@link LatencyBuckets#CELLS} counts, copied
   * @param sumNs sum of all latencies in nanoseconds
   * @param maxNs the largest latency in nanoseconds, 0 when there was none. A maximum below the
   *     highest cell with a count (the kernel writes cell and maximum one after the other) is
   *     replaced by the cell's bound and is then not exact.
   * @throws IllegalArgumentException if the number of cells is wrong or a count is negative
   */
  public static LatencyHistogram of(long[] cells, long sumNs, long maxNs) {
    if (cells.length != LatencyBuckets.CELLS) {
      throw new IllegalArgumentException(
          "a histogram has " + LatencyBuckets.CELLS + " cells, not " + cells.length);
    }
    int lowest = -1;
    int highest = -1;
    for (int cell = 0; cell < cells.length; cell++) {
      if (cells[cell] < 0) {
        throw new IllegalArgumentException("negative count in cell " + cell + ": " + cells[cell]);
      }
      if (cells[cell] > 0) {
        lowest = lowest < 0 ? cell : lowest;
        highest = cell;
      }
    }
    if (highest < 0) {
      return EMPTY;
    }
    boolean exact = maxNs > LatencyBuckets.lowerBoundNs(highest);
    long max = exact ? maxNs : LatencyBuckets.upperBoundNs(highest);
    return new LatencyHistogram(
        lowest, Arrays.copyOfRange(cells, lowest, highest + 1), sumNs, max, exact);
  }

  /** Number of latencies counted. */
  public long count() {
    return count;
  }

  /** Whether nothing was counted. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Number of latencies counted in one cell. */
  public long countInCell(int cell) {
    int index = cell - firstCell;
    if (index >= 0 && index < cells.length) {
      return cells[index];
    }
    Objects.checkIndex(cell, LatencyBuckets.CELLS);
    return 0;
  }

  /** The counts in the cells from {@link #firstCell} to before {@link #endCell}. A copy. */
  public long[] countsOfCells() {
    return cells.clone();
  }

  /** The lowest cell that counted anything; 0 when none did. */
  public int firstCell() {
    return firstCell;
  }

  /** One more than the highest cell that counted anything; 0 when none did. */
  public int endCell() {
    return firstCell + cells.length;
  }

  /** Sum of all latencies in nanoseconds. */
  public long sumNs() {
    return sumNs;
  }

  /** Mean latency in nanoseconds; 0 when nothing was counted. */
  public double meanNs() {
    return count == 0 ? 0 : (double) sumNs / count;
  }

  /**
   * The largest latency in nanoseconds, or an upper bound of it where {@link #maxExact} is false; 0
   * when nothing was counted.
   */
  public long maxNs() {
    return maxNs;
  }

  /** Whether {@link #maxNs} was measured, rather than the bound of the highest bucket. */
  public boolean maxExact() {
    return maxExact;
  }

  /**
   * The upper bound of the bucket that holds a quantile: at least that share of the latencies is at
   * or below it, and fewer are at or below the bucket's lower bound.
   *
   * @param quantile 0 to 1
   * @return nanoseconds, {@link LatencyBuckets#UNBOUNDED_NS} for overflow, 0 when nothing was
   *     counted
   */
  public long quantileBoundNs(double quantile) {
    return count == 0 ? 0 : LatencyBuckets.upperBoundNs(quantileCell(quantile));
  }

  /**
   * The cell that holds a quantile; {@link LatencyBuckets#UNDERFLOW_CELL} when nothing was counted.
   */
  public int quantileCell(double quantile) {
    if (!(quantile >= 0 && quantile <= 1)) {
      throw new IllegalArgumentException("a quantile lies between 0 and 1: " + quantile);
    }
    long rank = Math.max(1, (long) Math.ceil(quantile * count));
    long seen = 0;
    for (int cell = firstCell; cell < endCell(); cell++) {
      seen += countInCell(cell);
      if (seen >= rank) {
        return cell;
      }
    }
    return LatencyBuckets.UNDERFLOW_CELL;
  }

  /**
   * What was counted since an earlier state of the same histogram.
   *
   * <p>The maximum of the difference is exact if the maximum rose in between; otherwise it is the
   * bound of the highest bucket that grew, no more than the maximum overall.
   *
   * @throws IllegalArgumentException if a count of the earlier state is larger
   */
  public LatencyHistogram since(LatencyHistogram earlier) {
    if (earlier.isEmpty()) {
      return this;
    }
    if (earlier.equals(this)) {
      return EMPTY;
    }
    long[] grown = new long[LatencyBuckets.CELLS];
    for (int cell = Math.min(firstCell, earlier.firstCell);
        cell < Math.max(endCell(), earlier.endCell());
        cell++) {
      grown[cell] = countInCell(cell) - earlier.countInCell(cell);
      if (grown[cell] < 0) {
        throw new IllegalArgumentException(
            "cell "
                + cell
                + " shrank from "
                + earlier.countInCell(cell)
                + " to "
                + countInCell(cell));
      }
    }
    return grown(grown, sumNs - earlier.sumNs, earlier.maxNs, maxNs, maxExact);
  }

  /**
   * What was counted between two states of a histogram, of which only the growth is known: as
   * {@link #since} of the two.
   *
   * @param cells by how much each of the {@link LatencyBuckets#CELLS} cells grew, copied
   * @param sumNs by how much the sum grew
   * @param maxBeforeNs the maximum of the earlier state, below 0 if that had counted nothing
   * @param maxNs the maximum of the later state
   * @param maxExact whether that was measured
   */
  public static LatencyHistogram grown(
      long[] cells, long sumNs, long maxBeforeNs, long maxNs, boolean maxExact) {
    int end = cells.length;
    while (end > 0 && cells[end - 1] == 0) {
      end--;
    }
    if (end == 0) {
      return EMPTY;
    }
    int first = 0;
    while (cells[first] == 0) {
      first++;
    }
    long[] counted = Arrays.copyOfRange(cells, first, end);
    if (maxBeforeNs < 0) {
      return new LatencyHistogram(first, counted, sumNs, maxNs, maxExact);
    }
    // A maximum beyond that bucket was counted before, though it was written after the reading.
    long bound = LatencyBuckets.upperBoundNs(end - 1);
    boolean exact = maxExact && maxNs > maxBeforeNs && maxNs <= bound;
    long max = exact ? maxNs : Math.min(maxNs, bound);
    return new LatencyHistogram(first, counted, sumNs, max, exact);
  }

  /** The counts of both. */
  public LatencyHistogram plus(LatencyHistogram other) {
    if (other.isEmpty()) {
      return this;
    }
    if (isEmpty()) {
      return other;
    }
    int first = Math.min(firstCell, other.firstCell);
    long[] sum = new long[Math.max(endCell(), other.endCell()) - first];
    System.arraycopy(cells, 0, sum, firstCell - first, cells.length);
    for (int cell = 0; cell < other.cells.length; cell++) {
      sum[cell + other.firstCell - first] += other.cells[cell];
    }
    boolean isThisMax = maxNs > other.maxNs || (maxNs == other.maxNs && maxExact);
    LatencyHistogram larger = isThisMax ? this : other;
    return new LatencyHistogram(first, sum, sumNs + other.sumNs, larger.maxNs, larger.maxExact);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LatencyHistogram that
        && sumNs == that.sumNs
        && maxNs == that.maxNs
        && maxExact == that.maxExact
        && firstCell == that.firstCell
        && Arrays.equals(cells, that.cells);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(cells) * 31 + Long.hashCode(sumNs);
  }

  @Override
  public String toString() {
    return "LatencyHistogram[count=" + count + ", sumNs=" + sumNs + ", maxNs=" + maxNs + "]";
  }
}
