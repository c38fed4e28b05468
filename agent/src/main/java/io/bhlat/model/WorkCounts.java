// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

/**
 * All that is counted for one {@link WorkKey}, on one CPU or summed over several.
 *
 * @param queued queueings seen, on the CPU that queued
 * @param flushBarriers runs of a workqueue's flush barrier, which nothing queues; not in {@code
 *     started}
 * @param lost lost samples by reason
 * @param queueLatency queued → run, on the CPU that ran it
 * @param activationLatency queued → activated, work items only: the wait for max_active
 * @param serviceTime run → end
 */
public record WorkCounts(
    long queued,
    long flushBarriers,
    LossCounts lost,
    LatencyHistogram queueLatency,
    LatencyHistogram activationLatency,
    LatencyHistogram serviceTime) {

  /** Nothing counted. */
  public static final WorkCounts NONE =
      new WorkCounts(
          0,
          0,
          LossCounts.NONE,
          LatencyHistogram.EMPTY,
          LatencyHistogram.EMPTY,
          LatencyHistogram.EMPTY);

  public WorkCounts {
    if (queued < 0 || flushBarriers < 0) {
      throw new IllegalArgumentException("negative: " + queued + " queued, " + flushBarriers);
    }
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
        activationLatency.since(earlier.activationLatency),
        serviceTime.since(earlier.serviceTime));
  }

  /** The same with further lost samples. */
  public WorkCounts withLost(LossCounts further) {
    return new WorkCounts(
        queued, flushBarriers, lost.plus(further), queueLatency, activationLatency, serviceTime);
  }
}
