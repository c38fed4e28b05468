// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.FunctionCounts;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads counts out of mapped memory by {@link CountsLayout}. Not thread-safe: all numbers pass
 * through two arrays, allocated once.
 */
final class CountsReader {

  private static final int LONG = Long.BYTES;
  private static final int HISTOGRAM_LONGS = CountsLayout.HISTOGRAM_BYTES / LONG;
  private static final int WORK_COUNTS_LONGS = CountsLayout.WORK_COUNTS_BYTES / LONG;

  private final long[] counts = new long[WORK_COUNTS_LONGS];
  private final long[] lost = new long[LossReason.values().length];
  private final long[] histogram = new long[HISTOGRAM_LONGS];
  private final long[] cells = new long[LatencyBuckets.CELLS];

  /**
   * The counts of one CPU, in the order of {@link WorkKey#ALL}.
   *
   * <p>What was queued is read last, so that a key's pending items, summed over all CPUs, cannot
   * come out below zero for what happens meanwhile; the caller reads all CPUs' queueings after all
   * CPUs' starts.
   */
  List<WorkCounts> startsOf(MappedMemory memory, int cpu) {
    List<WorkCounts> starts = new ArrayList<>(WorkKey.ALL.size());
    for (WorkKey key : WorkKey.ALL) {
      LatencyHistogram queueLatency = cpuHistogram(memory, cpu, CountsLayout.queueHistogram(key));
      LatencyHistogram serviceTime = cpuHistogram(memory, cpu, CountsLayout.serviceHistogram(key));
      LatencyHistogram activation =
          CountsLayout.hasActivation(key)
              ? cpuHistogram(memory, cpu, CountsLayout.activationHistogram(key))
              : LatencyHistogram.EMPTY;
      starts.add(new WorkCounts(0, 0, LossCounts.NONE, queueLatency, activation, serviceTime));
    }
    return starts;
  }

  /** Adds what was queued and lost to what started. */
  List<WorkCounts> withQueued(MappedMemory memory, int cpu, List<WorkCounts> starts) {
    List<WorkCounts> complete = new ArrayList<>(starts.size());
    for (WorkKey key : WorkKey.ALL) {
      memory.copy(
          (cpu * CountsLayout.CPU_BYTES
                  + CountsLayout.CPU_COUNTS_OFFSET
                  + key.index() * CountsLayout.WORK_COUNTS_BYTES)
              / LONG,
          counts);
      System.arraycopy(counts, CountsLayout.LOST_OFFSET / LONG, lost, 0, lost.length);
      WorkCounts started = starts.get(key.index());
      complete.add(
          new WorkCounts(
              counts[0],
              counts[1],
              LossCounts.of(lost),
              started.queueLatency(),
              started.activationLatency(),
              started.serviceTime()));
    }
    return complete;
  }

  /** The counts of the function with that index, over all shards. */
  FunctionCounts functionAt(MappedMemory memory, int index, int shards, int indexes) {
    FunctionCounts total = FunctionCounts.NONE;
    for (int shard = 0; shard < shards; shard++) {
      int base = (shard * indexes + index) * CountsLayout.FUNCTION_BYTES;
      total =
          total.plus(
              new FunctionCounts(
                  histogramAt(memory, base),
                  histogramAt(memory, base + CountsLayout.FUNCTION_SERVICE_TIME_OFFSET)));
    }
    return total;
  }

  private LatencyHistogram cpuHistogram(MappedMemory memory, int cpu, int position) {
    return histogramAt(
        memory,
        cpu * CountsLayout.CPU_BYTES
            + CountsLayout.CPU_HISTOGRAMS_OFFSET
            + position * CountsLayout.HISTOGRAM_BYTES);
  }

  private LatencyHistogram histogramAt(MappedMemory memory, int byteOffset) {
    memory.copy(byteOffset / LONG, histogram);
    System.arraycopy(histogram, CountsLayout.HISTOGRAM_CELLS_OFFSET / LONG, cells, 0, cells.length);
    return LatencyHistogram.of(cells, histogram[0], histogram[1]);
  }
}
