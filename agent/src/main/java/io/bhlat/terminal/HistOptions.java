// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.Measurement;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a text report shows. Immutable.
 *
 * @param columns width of the terminal; fewer than {@link #LEAST_COLUMNS} count as that many
 * @param asked the classes that were asked for by name, reported even when nothing ran; empty: all
 *     classes, and those that counted nothing are left out
 * @param histograms the classes whose queue latency is drawn
 * @param cellsPerRow buckets merged into one row of a histogram: 8 for powers of two, 4, 2 or 1
 * @param perCpu whether tables have a line for each CPU too
 * @param perContext whether tables have a line for each context that ran softirqs or the mixing
 * @param functions how many functions are listed at most
 */
public record HistOptions(
    int columns,
    Set<WorkClass> asked,
    Set<WorkClass> histograms,
    int cellsPerRow,
    boolean perCpu,
    boolean perContext,
    int functions) {

  /** The narrowest terminal that reports are made for. */
  public static final int LEAST_COLUMNS = 80;

  /** Functions listed unless told otherwise. */
  public static final int DEFAULT_FUNCTIONS = 20;

  public HistOptions {
    columns = Math.max(LEAST_COLUMNS, columns);
    asked = Set.copyOf(asked);
    histograms = Set.copyOf(histograms);
    if (cellsPerRow < 1 || LatencyBuckets.BUCKETS_PER_OCTAVE % cellsPerRow != 0) {
      throw new IllegalArgumentException(
          "a row merges 1, 2, 4 or 8 buckets, so that powers of two stay bounds: " + cellsPerRow);
    }
    if (functions < 0) {
      throw new IllegalArgumentException("functions to list cannot be negative: " + functions);
    }
  }

  /**
   * All classes in the tables, and a histogram of each but the softirqs, whose ten vectors would
   * push the rest off the screen.
   */
  public static HistOptions everything(int columns) {
    return new HistOptions(
        columns,
        Set.of(),
        EnumSet.complementOf(EnumSet.of(WorkClass.SOFTIRQ)),
        LatencyBuckets.BUCKETS_PER_OCTAVE,
        false,
        false,
        DEFAULT_FUNCTIONS);
  }

  /** These classes in the tables, and a histogram of each. */
  public static HistOptions only(Set<WorkClass> classes, int columns) {
    return new HistOptions(
        columns,
        classes,
        classes,
        LatencyBuckets.BUCKETS_PER_OCTAVE,
        false,
        false,
        DEFAULT_FUNCTIONS);
  }

  /** The same with or without a line for each CPU. */
  public HistOptions withPerCpu(boolean wanted) {
    return new HistOptions(columns, asked, histograms, cellsPerRow, wanted, perContext, functions);
  }

  /** The same with or without a line for each context. */
  public HistOptions withPerContext(boolean wanted) {
    return new HistOptions(columns, asked, histograms, cellsPerRow, perCpu, wanted, functions);
  }

  /** The same with another number of buckets merged into a row. */
  public HistOptions withCellsPerRow(int cells) {
    return new HistOptions(columns, asked, histograms, cells, perCpu, perContext, functions);
  }

  /** The same with another limit of functions. */
  public HistOptions withFunctions(int limit) {
    return new HistOptions(columns, asked, histograms, cellsPerRow, perCpu, perContext, limit);
  }

  /** Whether a class is in the report at all. */
  boolean shows(WorkClass workClass) {
    return asked.isEmpty() || asked.contains(workClass);
  }

  /** Whether a measurement is: its class, or the class that its calls queue. */
  boolean shows(Measurement measurement) {
    return Arrays.stream(WorkClass.values())
        .anyMatch(workClass -> shows(workClass) && measurement.concerns(workClass));
  }
}
