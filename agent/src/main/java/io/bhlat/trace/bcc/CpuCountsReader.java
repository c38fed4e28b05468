// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what every CPU counts, by {@link CountsLayout}. Not thread-safe: all CPUs' counts are
 * copied into one array, allocated once, before any of them is looked at.
 *
 * <p>Copying takes microseconds, and what started is copied before what was queued: so an item that
 * is queued and starts meanwhile is pending for that snapshot, and pending items, summed over all
 * CPUs, never come out below zero.
 */
final class CpuCountsReader {

  private static final int CPU_LONGS = CountsLayout.CPU_BYTES / Long.BYTES;
  private static final int COUNTS_LONG = CountsLayout.CPU_COUNTS_OFFSET / Long.BYTES;
  private static final int HISTOGRAMS_LONG = CountsLayout.CPU_HISTOGRAMS_OFFSET / Long.BYTES;

  private final MappedMemory memory;
  private final int cpus;
  private final long[] copy;
  private final HistogramReader histograms = new HistogramReader();
  private final long[] lost = new long[LossReason.values().length];

  /** Reads the counts of CPUs 0 to {@code cpus} - 1. */
  CpuCountsReader(MappedMemory memory, int cpus) {
    this.memory = memory;
    this.cpus = cpus;
    this.copy = new long[cpus * CPU_LONGS];
  }

  /** Copies the counts as they are now. */
  void copy() {
    for (int cpu = 0; cpu < cpus; cpu++) {
      copy(cpu, HISTOGRAMS_LONG, CPU_LONGS);
    }
    for (int cpu = 0; cpu < cpus; cpu++) {
      copy(cpu, COUNTS_LONG, HISTOGRAMS_LONG);
    }
  }

  private void copy(int cpu, int from, int to) {
    int position = cpu * CPU_LONGS + from;
    memory.copy(position, copy, position, to - from);
  }

  /** The counts of one CPU as copied, in the order of {@link WorkKey#ALL}. */
  List<WorkCounts> of(int cpu) {
    List<WorkCounts> all = new ArrayList<>(WorkKey.ALL.size());
    for (WorkKey key : WorkKey.ALL) {
      int counts =
          cpu * CPU_LONGS
              + COUNTS_LONG
              + key.index() * (CountsLayout.WORK_COUNTS_BYTES / Long.BYTES);
      System.arraycopy(copy, counts + CountsLayout.LOST_OFFSET / Long.BYTES, lost, 0, lost.length);
      all.add(
          new WorkCounts(
              copy[counts],
              copy[counts + 1],
              LossCounts.of(lost),
              histogram(cpu, CountsLayout.queueHistogram(key)),
              CountsLayout.hasActivation(key)
                  ? histogram(cpu, CountsLayout.activationHistogram(key))
                  : LatencyHistogram.EMPTY,
              histogram(cpu, CountsLayout.serviceHistogram(key))));
    }
    return all;
  }

  private LatencyHistogram histogram(int cpu, int position) {
    return histograms.read(
        copy,
        cpu * CPU_LONGS + HISTOGRAMS_LONG + position * (CountsLayout.HISTOGRAM_BYTES / Long.BYTES));
  }
}
