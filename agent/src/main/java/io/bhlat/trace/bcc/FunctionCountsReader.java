// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.FunctionCounts;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.trace.MapSizes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the counts of function indexes, by {@link CountsLayout}. Of what does not change, the next
 * reading gives the same value again. Not thread-safe.
 */
final class FunctionCountsReader {

  private static final int FUNCTION_LONGS = CountsLayout.FUNCTION_BYTES / Long.BYTES;
  private static final int SERVICE_TIME_LONG =
      CountsLayout.FUNCTION_SERVICE_TIME_OFFSET / Long.BYTES;

  private final MappedMemory counts;
  private final MapSizes sizes;
  private final HistogramReader reader = new HistogramReader();

  /** What was read last: by index, shards one after the other, both histograms of each. */
  private final Map<Integer, LatencyHistogram[]> lastRead = new HashMap<>();

  private final Map<Integer, FunctionCounts> totals = new HashMap<>();

  FunctionCountsReader(MappedMemory counts, MapSizes sizes) {
    this.counts = counts;
    this.sizes = sizes;
  }

  /** The counts of an index over all shards. */
  FunctionCounts at(int index) {
    LatencyHistogram[] last = lastRead.computeIfAbsent(index, i -> nothing());
    boolean changed = false;
    for (int i = 0; i < last.length; i++) {
      LatencyHistogram now = reader.read(counts, position(index, i), last[i]);
      changed |= !now.equals(last[i]);
      last[i] = now;
    }
    if (changed) {
      totals.put(index, total(last));
    }
    return totals.getOrDefault(index, FunctionCounts.NONE);
  }

  private LatencyHistogram[] nothing() {
    LatencyHistogram[] nothing = new LatencyHistogram[2 * sizes.functionShards()];
    Arrays.fill(nothing, LatencyHistogram.EMPTY);
    return nothing;
  }

  /**
   * Where a histogram lies: of shard i / 2 the queue latency if i is even, else the service time.
   */
  private int position(int index, int i) {
    return (i / 2 * sizes.functionIndexes() + index) * FUNCTION_LONGS + i % 2 * SERVICE_TIME_LONG;
  }

  private static FunctionCounts total(LatencyHistogram[] ofShards) {
    FunctionCounts total = FunctionCounts.NONE;
    for (int i = 0; i < ofShards.length; i += 2) {
      total = total.plus(new FunctionCounts(ofShards[i], ofShards[i + 1]));
    }
    return total;
  }
}
