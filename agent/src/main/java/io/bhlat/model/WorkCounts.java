// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * All that is counted for one {@link WorkKey}, on one CPU or summed over several.
 *
 * @param queued queueings seen, on the CPU that queued
 * @param flushBarriers runs of a workqueue's flush barrier, which nothing queues; not in {@code
 *     started}
 * @param lost lost samples by reason
 * @param queueLatency queued → run, on the CPU that ran it, in whatever context
 * @param queueLatencyIn the same by what ran it, where that is told; contexts that counted nothing
 *     are left out
 * @param activationLatency queued → activated, work items only: the wait for max_active
 * @param serviceTime run → end
 */
public record WorkCounts(
    long queued,
    long flushBarriers,
    LossCounts lost,
    LatencyHistogram queueLatency,
    Map<RunContext, LatencyHistogram> queueLatencyIn,
    LatencyHistogram activationLatency,
    LatencyHistogram serviceTime) {

  /** Nothing counted. */
  public static final WorkCounts NONE =
      new WorkCounts(
          0,
          0,
          LossCounts.NONE,
          LatencyHistogram.EMPTY,
          Map.of(),
          LatencyHistogram.EMPTY,
          LatencyHistogram.EMPTY);

  public WorkCounts {
    if (queued < 0 || flushBarriers < 0) {
      throw new IllegalArgumentException("negative: " + queued + " queued, " + flushBarriers);
    }
    queueLatencyIn = queueLatencyIn.isEmpty() ? Map.of() : counted(queueLatencyIn);
  }

  private static Map<RunContext, LatencyHistogram> counted(Map<RunContext, LatencyHistogram> all) {
    Map<RunContext, LatencyHistogram> counted = new EnumMap<>(RunContext.class);
    all.forEach(
        (context, latency) -> {
          if (!latency.isEmpty()) {
            counted.put(context, latency);
          }
        });
    return Collections.unmodifiableMap(counted);
  }

  /** Counts of work that is not told by context. */
  public WorkCounts(
      long queued,
      long flushBarriers,
      LossCounts lost,
      LatencyHistogram queueLatency,
      LatencyHistogram activationLatency,
      LatencyHistogram serviceTime) {
    this(queued, flushBarriers, lost, queueLatency, Map.of(), activationLatency, serviceTime);
  }

  /** Counts of work that is told by context, which neither barriers nor max_active concern. */
  public static WorkCounts byContext(
      long queued,
      LossCounts lost,
      Map<RunContext, LatencyHistogram> queueLatencyIn,
      LatencyHistogram serviceTime) {
    LatencyHistogram inAny = LatencyHistogram.EMPTY;
    for (LatencyHistogram latency : queueLatencyIn.values()) {
      inAny = inAny.plus(latency);
    }
    return new WorkCounts(
        queued, 0, lost, inAny, queueLatencyIn, LatencyHistogram.EMPTY, serviceTime);
  }

  /** Starts that were matched with their queueing: each gave one queue latency. */
  public long started() {
    return queueLatency.count();
  }

  /**
   * Queued, not started and not lost so far. Only meaningful summed over all CPUs, because work may
   * be queued on one and run on another; never below 0 there, since a snapshot reads the starts
   * first.
   */
  public long pending() {
    return queued - started() - lost.total(LossReason.Side.QUEUED);
  }

  /** Whether nothing at all was counted. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** The counts of both. */
  public WorkCounts plus(WorkCounts other) {
    return new WorkCounts(
        queued + other.queued,
        flushBarriers + other.flushBarriers,
        lost.plus(other.lost),
        queueLatency.plus(other.queueLatency),
        merge(other.queueLatencyIn, LatencyHistogram::plus),
        activationLatency.plus(other.activationLatency),
        serviceTime.plus(other.serviceTime));
  }

  /**
   * What was counted since an earlier state.
   *
   * @throws IllegalArgumentException if a count of the earlier state is larger
   */
  public WorkCounts since(WorkCounts earlier) {
    return new WorkCounts(
        queued - earlier.queued,
        flushBarriers - earlier.flushBarriers,
        lost.since(earlier.lost),
        queueLatency.since(earlier.queueLatency),
        merge(earlier.queueLatencyIn, LatencyHistogram::since),
        activationLatency.since(earlier.activationLatency),
        serviceTime.since(earlier.serviceTime));
  }

  /** The same with further lost samples. */
  public WorkCounts withLost(LossCounts further) {
    return new WorkCounts(
        queued,
        flushBarriers,
        lost.plus(further),
        queueLatency,
        queueLatencyIn,
        activationLatency,
        serviceTime);
  }

  private Map<RunContext, LatencyHistogram> merge(
      Map<RunContext, LatencyHistogram> other, BinaryOperator<LatencyHistogram> operation) {
    Map<RunContext, LatencyHistogram> merged = new EnumMap<>(RunContext.class);
    merged.putAll(queueLatencyIn);
    other.forEach(
        (context, latency) ->
            merged.put(
                context,
                operation.apply(
                    queueLatencyIn.getOrDefault(context, LatencyHistogram.EMPTY), latency)));
    return merged;
  }
}
