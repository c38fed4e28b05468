// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

/**
 * All that is counted for one function, summed over all CPUs.
 *
 * @param queueLatency queued → run
 * @param serviceTime run → end
 */
public record FunctionCounts(LatencyHistogram queueLatency, LatencyHistogram serviceTime) {

  /** Nothing counted. */
  public static final FunctionCounts NONE =
      new FunctionCounts(LatencyHistogram.EMPTY, LatencyHistogram.EMPTY);

  /** The counts of both. */
  public FunctionCounts plus(FunctionCounts other) {
    return new FunctionCounts(
        queueLatency.plus(other.queueLatency), serviceTime.plus(other.serviceTime));
  }

  /**
   * What was counted since an earlier state.
   *
   * @throws IllegalArgumentException if a count of the earlier state is larger
   */
  public FunctionCounts since(FunctionCounts earlier) {
    return new FunctionCounts(
        queueLatency.since(earlier.queueLatency), serviceTime.since(earlier.serviceTime));
  }
}
