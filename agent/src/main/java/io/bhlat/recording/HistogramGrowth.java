// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;

/**
 * By how much one histogram grew: only the cells that did.
 *
 * <p>The kernel keeps the maximum since attaching. So the growth holds it before and after, from
 * which follows what {@link LatencyHistogram#since} says of any span that begins and ends with
 * intervals: exact if the maximum rose within, else a bound.
 *
 * @param cells which cells, ascending; not to be changed
 * @param counts by how much each of them; not to be changed
 * @param sumNs by how much the sum
 * @param maxBeforeNs the maximum at the beginning, {@link #NOTHING_BEFORE} if nothing was counted
 * @param maxNs the maximum at the end
 * @param maxExact whether that was measured, rather than the bound of a bucket
 */
@SuppressWarnings("ArrayRecordComponent") // never leaves the package, and never compared
record HistogramGrowth(
    int[] cells, long[] counts, long sumNs, long maxBeforeNs, long maxNs, boolean maxExact) {

  /** In the place of a maximum: there was none. */
  static final long NOTHING_BEFORE = -1;

  /** The growth between two states that are not equal; of cells that shrank, by less than 0. */
  static HistogramGrowth between(LatencyHistogram before, LatencyHistogram now) {
    int lowest = before.isEmpty() ? now.firstCell() : Math.min(before.firstCell(), now.firstCell());
    int highest = Math.max(before.endCell(), now.endCell()) - 1;
    int grown = 0;
    for (int cell = lowest; cell <= highest; cell++) {
      if (now.countInCell(cell) != before.countInCell(cell)) {
        grown++;
      }
    }
    int[] cells = new int[grown];
    long[] counts = new long[grown];
    int next = 0;
    for (int cell = lowest; next < grown; cell++) {
      long count = now.countInCell(cell) - before.countInCell(cell);
      if (count != 0) {
        cells[next] = cell;
        counts[next++] = count;
      }
    }
    return new HistogramGrowth(
        cells,
        counts,
        now.sumNs() - before.sumNs(),
        before.isEmpty() ? NOTHING_BEFORE : before.maxNs(),
        now.maxNs(),
        now.maxExact());
  }

  /** Several growths of one histogram, one after the other. Used by one thread. */
  static final class Sum {
    private final long[] cells = new long[LatencyBuckets.CELLS];
    private final long maxBeforeNs;
    private long sumNs;
    private long maxNs;
    private boolean maxExact;

    /** Begins with that one, which is not added yet. */
    Sum(HistogramGrowth first) {
      this.maxBeforeNs = first.maxBeforeNs;
    }

    void add(HistogramGrowth growth) {
      for (int i = 0; i < growth.cells.length; i++) {
        cells[growth.cells[i]] += growth.counts[i];
      }
      sumNs += growth.sumNs;
      maxNs = growth.maxNs;
      maxExact = growth.maxExact;
    }

    LatencyHistogram histogram() {
      return LatencyHistogram.grown(cells, sumNs, maxBeforeNs, maxNs, maxExact);
    }
  }
}
