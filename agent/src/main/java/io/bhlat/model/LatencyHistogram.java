// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Arrays;

/**
 * Counts of latencies in the cells of {@link LatencyBuckets}, with their sum and maximum.
 * Immutable.
 *
 * <p>The count is the sum of the cells, so that the two can never disagree, however the kernel
 * counts on while they are read (decision 0003).
 */
public final class LatencyHistogram {

  /** The histogram that counted nothing. */
  public static final LatencyHistogram EMPTY =
      new LatencyHistogram(new long[LatencyBuckets.CELLS], 0, 0, true);

  private final long[] cells;
  private final long count;
  private final long sumNs;
  private final long maxNs;
  private final boolean maxExact;

  private LatencyHistogram(long[] cells, long sumNs, long maxNs, boolean maxExact) {
    this.cells = cells;
    this.count = Arrays.stream(cells).sum();
    this.sumNs = sumNs;
    this.maxNs = maxNs;
    this.maxExact = maxExact;
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
    int highest = -1;
    for (int cell = 0; cell < cells.length; cell++) {
      if (cells[cell] < 0) {
        throw new IllegalArgumentException("negative count in cell " + cell + ": " + cells[cell]);
      }
      if (cells[cell] > 0) {
        highest = cell;
      }
    }
    if (highest < 0) {
      return EMPTY;
    }
    boolean exact = maxNs > LatencyBuckets.lowerBoundNs(highest);
    long max = exact ? maxNs : LatencyBuckets.upperBoundNs(highest);
    return new LatencyHistogram(cells.clone(), sumNs, max, exact);
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
    return cells[cell];
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
    for (int cell = 0; cell < cells.length; cell++) {
      seen += cells[cell];
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
    long[] grown = new long[cells.length];
    int highest = -1;
    for (int cell = 0; cell < cells.length; cell++) {
      grown[cell] = cells[cell] - earlier.cells[cell];
      if (grown[cell] < 0) {
        throw new IllegalArgumentException(
            "cell " + cell + " shrank from " + earlier.cells[cell] + " to " + cells[cell]);
      }
      if (grown[cell] > 0) {
        highest = cell;
      }
    }
    if (highest < 0) {
      return EMPTY;
    }
    // A maximum beyond that bucket was counted before, though it was written after the reading.
    long bound = LatencyBuckets.upperBoundNs(highest);
    boolean exact = maxExact && maxNs > earlier.maxNs && maxNs <= bound;
    long max = exact ? maxNs : Math.min(maxNs, bound);
    return new LatencyHistogram(grown, sumNs - earlier.sumNs, max, exact);
  }

  /** The counts of both. */
  public LatencyHistogram plus(LatencyHistogram other) {
    if (other.isEmpty()) {
      return this;
    }
    if (isEmpty()) {
      return other;
    }
    long[] sum = new long[cells.length];
    for (int cell = 0; cell < cells.length; cell++) {
      sum[cell] = cells[cell] + other.cells[cell];
    }
    boolean isThisMax = maxNs > other.maxNs || (maxNs == other.maxNs && maxExact);
    LatencyHistogram larger = isThisMax ? this : other;
    return new LatencyHistogram(sum, sumNs + other.sumNs, larger.maxNs, larger.maxExact);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LatencyHistogram that
        && sumNs == that.sumNs
        && maxNs == that.maxNs
        && maxExact == that.maxExact
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
