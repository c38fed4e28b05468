// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;

/** Makes histograms of counts in memory, by {@link CountsLayout}. Not thread-safe. */
final class HistogramReader {

  private static final int CELLS_LONG = CountsLayout.HISTOGRAM_CELLS_OFFSET / Long.BYTES;

  private final long[] head = new long[CELLS_LONG + 1];
  private final long[] cells = new long[LatencyBuckets.CELLS];

  /**
   * The histogram that begins at that long of the memory. Most are empty, which is seen at once.
   */
  LatencyHistogram read(MappedMemory memory, int position) {
    memory.copy(position, head, 0, head.length);
    if (head[0] == 0 && head[CELLS_LONG] == 0) {
      return LatencyHistogram.EMPTY; // a sum of 0, and no latency of the lowest cell
    }
    memory.copy(position + CELLS_LONG, cells, 0, cells.length);
    return LatencyHistogram.of(cells, head[0], head[1]);
  }
}
