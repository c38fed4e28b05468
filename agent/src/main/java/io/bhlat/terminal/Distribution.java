// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import java.util.Collection;

/**
 * Histograms drawn in one line each, one character a power of two, all over the same axis: what
 * moved is seen without reading a number.
 */
final class Distribution {

  private static final long US = 1_000;
  private static final long MS = 1_000_000;
  private static final long S = 1_000_000_000;

  private final Glyphs glyphs;
  private final int first;
  private final int last;

  private Distribution(Glyphs glyphs, int first, int last) {
    this.glyphs = glyphs;
    this.first = first;
    this.last = last;
  }

  /** The axis that holds all of them. */
  static Distribution over(Collection<LatencyHistogram> histograms, Glyphs glyphs) {
    int first = Integer.MAX_VALUE;
    int last = -1;
    for (LatencyHistogram histogram : histograms) {
      MergedRows rows = octaves(histogram);
      first = Math.min(first, rows.firstUsed());
      last = Math.max(last, rows.lastUsed());
    }
    return new Distribution(glyphs, first, last);
  }

  /** The axis: the units stand where 1 of them falls. */
  String axis() {
    StringBuilder axis = new StringBuilder();
    MergedRows rows = octaves(LatencyHistogram.EMPTY);
    for (int row = first; row <= last; row++) {
      axis.append(' ');
    }
    mark(axis, rows, US, "1" + glyphs.microseconds());
    mark(axis, rows, MS, "1ms");
    mark(axis, rows, S, "1s");
    return axis.toString().stripTrailing();
  }

  private void mark(StringBuilder axis, MergedRows rows, long ns, String name) {
    int at = rows.rowOf(LatencyBuckets.cellOf(ns)) - first;
    if (at >= 0 && at + name.length() <= axis.length()) {
      axis.replace(at, at + name.length(), name);
    }
  }

  /** One histogram, scaled to its own fullest row. */
  String draw(LatencyHistogram histogram) {
    MergedRows rows = octaves(histogram);
    long largest = Math.max(1, rows.largest());
    StringBuilder line = new StringBuilder();
    for (int row = first; row <= last; row++) {
      line.append(glyphs.level((double) rows.count(row) / largest));
    }
    return line.toString();
  }

  private static MergedRows octaves(LatencyHistogram histogram) {
    return MergedRows.of(histogram, LatencyBuckets.BUCKETS_PER_OCTAVE);
  }
}
