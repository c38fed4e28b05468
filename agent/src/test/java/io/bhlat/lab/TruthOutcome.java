// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import io.bhlat.model.LatencyBuckets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A scenario as the module kept it, and as bhlat counted it in the meantime. Written in the guest
 * and read by the tests.
 *
 * @param scenario which
 * @param queued by the module: how many items it queued
 * @param started how many of them began to run
 * @param cancelled how many of them it cancelled
 * @param latenciesNs how long each waited, ascending; empty where the module does not say
 * @param cells by bhlat: what it counted for the function, cell of the histogram → count
 * @param activationCells the wait for activation, of the whole class
 * @param classQueued queued, of the whole class; other work of the guest is among it
 * @param classStarted started, of the whole class
 * @param classServed those of them whose end was seen too, and ends of others
 * @param lost lost, of the whole class, by reason
 * @param unexplained since attaching, over all classes: queued, but neither started, lost, nor
 *     among the stamps that the kernel holds
 * @param stamps stamps of what is pending
 */
record TruthOutcome(
    TruthScenario scenario,
    long queued,
    long started,
    long cancelled,
    List<Long> latenciesNs,
    Map<Integer, Long> cells,
    Map<Integer, Long> activationCells,
    long classQueued,
    long classStarted,
    long classServed,
    Map<String, Long> lost,
    long unexplained,
    long stamps) {

  /** How many latencies bhlat counted for the function. */
  long counted() {
    return cells.values().stream().mapToLong(Long::longValue).sum();
  }

  long lost(String reason) {
    return lost.getOrDefault(reason, 0L);
  }

  /** Half of the items waited no longer, as the module says. */
  long medianNs() {
    return latenciesNs.get((latenciesNs.size() - 1) / 2);
  }

  /** The cell of the histogram that holds a quantile of what bhlat counted. */
  int quantileCell(double quantile) {
    long rank = Math.max(1, (long) Math.ceil(quantile * counted()));
    long seen = 0;
    for (Map.Entry<Integer, Long> cell : new TreeMap<>(cells).entrySet()) {
      seen += cell.getValue();
      if (seen >= rank) {
        return cell.getKey();
      }
    }
    throw new IllegalStateException("nothing counted: " + this);
  }

  /** A latency that bhlat cannot tell from its median: the middle of its bucket. */
  long countedMedianNs() {
    int cell = quantileCell(0.5);
    return (LatencyBuckets.lowerBoundNs(cell) + LatencyBuckets.upperBoundNs(cell)) / 2;
  }

  /** How many waits for activation were longer than that, rounded down to a bucket's bound. */
  long activationsAbove(long ns) {
    int above = LatencyBuckets.cellOf(ns);
    return activationCells.entrySet().stream()
        .filter(cell -> cell.getKey() >= above)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
