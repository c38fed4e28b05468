// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.time.Instant;

/**
 * Everything counted since the probes were attached, read at one moment. Immutable; counts only
 * grow from one snapshot to the next.
 *
 * @param takenAt wall clock, for people and files
 * @param takenAtNs a monotonic clock in nanoseconds, for rates; its zero is arbitrary but the same
 *     for all snapshots of a source
 * @param attachedAt wall clock of the moment when the probes were attached
 * @param counts the counts
 */
public record Snapshot(Instant takenAt, long takenAtNs, Instant attachedAt, Counts counts) {

  /**
   * What was counted since an earlier snapshot of the same source.
   *
   * @throws IllegalArgumentException if that snapshot is not an earlier one
   */
  public Interval since(Snapshot earlier) {
    return new Interval(
        earlier.takenAt, takenAt, takenAtNs - earlier.takenAtNs, counts.since(earlier.counts));
  }
}
