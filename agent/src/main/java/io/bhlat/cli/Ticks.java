// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.time.Duration;
import java.util.Optional;

/**
 * When something that is done again and again is due: at even times by the monotonic clock, of
 * which those that were missed are not made up for. Used by one thread.
 */
final class Ticks {

  private final long shortNs;
  private final long longNs;
  private long nextNs;
  private long nextLongNs;

  /**
   * Begins now.
   *
   * @param recording how often counts are recorded; absent: as often as {@code upkeep}
   * @param upkeep how often there is more to do
   */
  Ticks(Optional<Duration> recording, Duration upkeep, long nowNs) {
    this.longNs = upkeep.toNanos();
    this.shortNs = Math.min(longNs, recording.orElse(upkeep).toNanos());
    this.nextNs = nowNs;
    this.nextLongNs = nowNs;
  }

  /** How long it is until the next tick, which is thereby begun; at least a nanosecond. */
  Duration untilNext(long nowNs) {
    nextNs += Math.max(1, (nowNs - nextNs) / shortNs + 1) * shortNs;
    return Duration.ofNanos(Math.max(1, nextNs - nowNs));
  }

  /** Whether the longer interval is over too; then the next begins. */
  boolean isLongOver(long nowNs) {
    if (nowNs - nextLongNs < 0) {
      return false;
    }
    nextLongNs = nowNs + longNs;
    return true;
  }
}
