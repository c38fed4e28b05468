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
   * The histogram that begins at that long of the memory. Most are empty, and most of the others
   * are as they were, which is seen at once.
   *
   * @param before what was read there before; given again if nothing was counted since
   */
  LatencyHistogram read(MappedMemory memory, int position, LatencyHistogram before) {
    memory.copy(position, head, 0, head.length);
    if (head[0] == 0 && head[CELLS_LONG] == 0) {
      return LatencyHistogram.EMPTY; // a sum of 0, and no latency of the lowest cell
    }
    if (isAsBefore(before)) {
      return before;
    }
    memory.copy(position + CELLS_LONG, cells, 0, cells.length);
    return LatencyHistogram.of(cells, head[0], head[1]);
  }

  /**
   * A latency adds to its cell first and to the sum then (bpf/counting.c), and cells are read after
   * the sum: as long as the sum is the same, no latency but one of 0 ns can be missing.
   */
  private boolean isAsBefore(LatencyHistogram before) {
    return before.sumNs() == head[0]
        && before.maxNs() == head[1]
        && before.maxExact()
        && before.countInCell(LatencyBuckets.UNDERFLOW_CELL) == head[CELLS_LONG];
  }
}
