// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.model.Counts;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Counts by CPU, laid out for a scrape, which looks up those of each CPU hundreds of times; and
 * sums of numbers that do not add up histograms. Not changed once it is made.
 */
final class CountsTable {

  private static final Map<WorkClass, List<WorkKey>> KEYS =
      WorkKey.ALL.stream().collect(Collectors.groupingBy(WorkKey::workClass));

  private final Counts counts;

  /** By number; empty for CPUs that did not count. */
  private final List<List<WorkCounts>> byCpu = new ArrayList<>();

  CountsTable(Counts counts) {
    this.counts = counts;
    for (int cpu : counts.cpus()) {
      while (byCpu.size() < cpu) {
        byCpu.add(List.of());
      }
      byCpu.add(counts.ofCpu(cpu));
    }
  }

  /** The keys of a class. */
  static List<WorkKey> keys(WorkClass workClass) {
    return KEYS.getOrDefault(workClass, List.of());
  }

  /** The counts of a CPU that is among those that count. */
  WorkCounts of(int cpu, WorkKey key) {
    return byCpu.get(cpu).get(key.index());
  }

  boolean countedAnything(int cpu) {
    return WorkKey.ALL.stream().anyMatch(key -> !of(cpu, key).isNone());
  }

  /** A number of a class on one CPU. */
  long sum(int cpu, WorkClass workClass, ToLongFunction<WorkCounts> which) {
    long sum = 0;
    for (WorkKey key : keys(workClass)) {
      sum += which.applyAsLong(of(cpu, key));
    }
    return sum;
  }

  /** A number of a class over all CPUs. */
  long sum(WorkClass workClass, ToLongFunction<WorkCounts> which) {
    return counts.cpus().stream().mapToLong(cpu -> sum(cpu, workClass, which)).sum();
  }

  /** Samples lost of a class, wherever. */
  LossCounts lost(WorkClass workClass) {
    LossCounts lost = counts.lostByClass(workClass);
    for (WorkKey key : keys(workClass)) {
      lost = lost.plus(counts.lostAnywhere(key));
      for (int cpu : counts.cpus()) {
        lost = lost.plus(of(cpu, key).lost());
      }
    }
    return lost;
  }

  /** As in {@link WorkCounts#pending}, over all CPUs. */
  long pending(WorkClass workClass) {
    return sum(workClass, WorkCounts::queued)
        - sum(workClass, WorkCounts::started)
        - lost(workClass).total(LossReason.Side.QUEUED);
  }
}
