// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.time.Instant;

/**
 * What was counted between two snapshots. Immutable.
 *
 * @param from wall clock of the earlier snapshot
 * @param to wall clock of the later one
 * @param durationNs time between them by the monotonic clock, above 0
 * @param counts the differences
 */
public record Interval(Instant from, Instant to, long durationNs, Counts counts) {

  public Interval {
    if (durationNs <= 0) {
      throw new IllegalArgumentException("an interval lasts longer than " + durationNs + " ns");
    }
  }

  /** A count as a rate per second over this interval. */
  public double perSecond(long count) {
    return count * 1e9 / durationNs;
  }
}
