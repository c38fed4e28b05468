// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Arrays;

/** Lost samples by reason. Immutable. */
public final class LossCounts {

  /** No sample lost. */
  public static final LossCounts NONE = new LossCounts(new long[LossReason.values().length]);

  private final long[] counts;

  private LossCounts(long[] counts) {
    this.counts = counts;
  }

  /**
   * Counts in the order of {@link LossReason}, copied.
   *
   * @throws IllegalArgumentException if there is not one count, at least 0, for each reason
   */
  public static LossCounts of(long[] counts) {
    if (counts.length != LossReason.values().length) {
      throw new IllegalArgumentException("one count a reason, not " + counts.length);
    }
    long all = 0; // sign and zero of all at once: a snapshot makes thousands
    for (long count : counts) {
      all |= count;
    }
    if (all < 0) {
      throw new IllegalArgumentException("negative loss: " + Arrays.toString(counts));
    }
    return all == 0 ? NONE : new LossCounts(counts.clone());
  }

  /** That many samples lost for one reason. */
  public static LossCounts of(LossReason reason, long count) {
    long[] counts = new long[LossReason.values().length];
    counts[reason.ordinal()] = count;
    return of(counts);
  }

  /** Samples lost for a reason. */
  public long count(LossReason reason) {
    return counts[reason.ordinal()];
  }

  /** Samples lost on one side of the account, all reasons together. */
  public long total(LossReason.Side side) {
    long total = 0;
    for (LossReason reason : LossReason.values()) {
      if (reason.side() == side) {
        total += counts[reason.ordinal()];
      }
    }
    return total;
  }

  /** Whether nothing was lost. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** The losses of both. */
  public LossCounts plus(LossCounts other) {
    return combine(other, 1);
  }

  /**
   * What was lost since an earlier state.
   *
   * @throws IllegalArgumentException if a count of the earlier state is larger
   */
  public LossCounts since(LossCounts earlier) {
    return combine(earlier, -1);
  }

  private LossCounts combine(LossCounts other, int sign) {
    if (other.isNone()) {
      return this;
    }
    long[] combined = counts.clone();
    for (int reason = 0; reason < combined.length; reason++) {
      combined[reason] += sign * other.counts[reason];
    }
    return of(combined);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LossCounts that && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return "LossCounts" + Arrays.toString(counts);
  }
}
