// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;

/** Makes histograms of copied counts, by {@link CountsLayout}. Not thread-safe. */
final class HistogramReader {

  private final long[] cells = new long[LatencyBuckets.CELLS];

  /** The histogram that begins at that position of the array. */
  LatencyHistogram read(long[] counts, int position) {
    System.arraycopy(
        counts,
        position + CountsLayout.HISTOGRAM_CELLS_OFFSET / Long.BYTES,
        cells,
        0,
        cells.length);
    return LatencyHistogram.of(cells, counts[position], counts[position + 1]);
  }
}
