// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.Interval;
import java.time.Instant;

/** One frame of a recording: what was counted between two snapshots. Immutable. */
public final class RecordedInterval {

  private final Growth growth;

  RecordedInterval(Growth growth) {
    this.growth = growth;
  }

  Growth growth() {
    return growth;
  }

  /** Wall clock of its beginning. */
  public Instant from() {
    return growth.from().wall();
  }

  /** Wall clock of its end. */
  public Instant to() {
    return growth.to().wall();
  }

  /** Its beginning by the monotonic clock of whoever recorded. */
  public long fromNs() {
    return growth.from().ns();
  }

  /** Its end by the monotonic clock of whoever recorded. */
  public long toNs() {
    return growth.to().ns();
  }

  /** What was counted, as a value. */
  public Interval interval() {
    IntervalSum sum = new IntervalSum();
    sum.add(this);
    return sum.interval();
  }
}
