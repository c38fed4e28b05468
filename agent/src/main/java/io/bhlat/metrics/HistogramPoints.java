// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Turns a {@link LatencyHistogram} into a data point that has native and classic buckets.
 *
 * <p>Both come from the same cells, and none is split or estimated: a native bucket is a cell, and
 * a classic bound is a power of two in seconds, which is a bound of cells.
 *
 * <pre>
 *   cell               native                          classic
 *   underflow          zero bucket, threshold 2^-24 s  le 2^-22
 *   finite             the index of the cell           le 2^-22, every power of two, 2^3, +Inf
 *   overflow (> 64 s)  index 8193, up to +Inf          le +Inf
 * </pre>
 */
final class HistogramPoints {

  /** Exponent of the lowest classic bound: 2^-22 s, 238 ns. */
  static final int FIRST_CLASSIC_EXPONENT = -22;

  /** Exponent of the highest finite classic bound: 2^3 s, 8 s. */
  static final int LAST_CLASSIC_EXPONENT = 3;

  /** Classic buckets of a histogram, with the one that ends at +Inf. */
  static final int CLASSIC_BUCKETS = LAST_CLASSIC_EXPONENT - FIRST_CLASSIC_EXPONENT + 2;

  /**
   * The bucket of schema 3 that Prometheus keeps for infinite observations: index 8192 ends at the
   * largest finite double. A latency above 64 s has no bound that was measured, so that it belongs
   * there and not in a finite bucket.
   */
  static final int NATIVE_INDEX_UNBOUNDED = 1024 * LatencyBuckets.BUCKETS_PER_OCTAVE + 1;

  /**
   * The bound of the underflow cell. It is above 0, which also keeps Prometheus from taking an
   * empty native histogram for a classic one.
   */
  static final double ZERO_THRESHOLD_SECONDS =
      LatencyBuckets.upperBoundSeconds(LatencyBuckets.FIRST_INDEX - 1);

  private static final double NS_PER_SECOND = 1e9;

  /** Shared by all histograms: the client does not change what is in order. */
  private static final double[] CLASSIC_BOUNDS_SECONDS =
      IntStream.range(0, CLASSIC_BUCKETS)
          .mapToDouble(HistogramPoints::classicBoundSeconds)
          .toArray();

  private static final ClassicHistogramBuckets NO_CLASSIC_COUNTS =
      ClassicHistogramBuckets.of(CLASSIC_BOUNDS_SECONDS, new long[CLASSIC_BUCKETS]);

  private static final int[] CLASSIC_BUCKET_OF_CELL =
      IntStream.range(0, LatencyBuckets.CELLS).map(HistogramPoints::classicBucketOfCell).toArray();

  private static final int[] NATIVE_INDEX_OF_CELL =
      IntStream.range(0, LatencyBuckets.CELLS).map(HistogramPoints::nativeIndexOfCell).toArray();

  private HistogramPoints() {}

  /**
   * The data point of a histogram.
   *
   * @param created when its count was 0
   */
  static HistogramDataPointSnapshot of(LatencyHistogram histogram, Labels labels, Instant created) {
    int firstCell = histogram.firstCell();
    long[] inCells = histogram.countsOfCells();
    return new HistogramDataPointSnapshot(
        classicBuckets(firstCell, inCells),
        LatencyBuckets.SCHEMA,
        histogram.countInCell(LatencyBuckets.UNDERFLOW_CELL),
        ZERO_THRESHOLD_SECONDS,
        nativeBuckets(firstCell, inCells),
        NativeHistogramBuckets.EMPTY,
        histogram.sumNs() / NS_PER_SECOND,
        labels,
        Exemplars.EMPTY,
        created.toEpochMilli());
  }

  private static NativeHistogramBuckets nativeBuckets(int firstCell, long[] inCells) {
    int[] indexes = new int[inCells.length];
    long[] counts = new long[inCells.length];
    int buckets = 0;
    for (int i = firstCell == LatencyBuckets.UNDERFLOW_CELL ? 1 : 0; i < inCells.length; i++) {
      if (inCells[i] > 0) {
        indexes[buckets] = NATIVE_INDEX_OF_CELL[firstCell + i];
        counts[buckets++] = inCells[i];
      }
    }
    return buckets == indexes.length
        ? NativeHistogramBuckets.of(indexes, counts)
        : NativeHistogramBuckets.of(
            Arrays.copyOf(indexes, buckets), Arrays.copyOf(counts, buckets));
  }

  private static ClassicHistogramBuckets classicBuckets(int firstCell, long[] inCells) {
    if (inCells.length == 0) {
      return NO_CLASSIC_COUNTS;
    }
    long[] counts = new long[CLASSIC_BUCKETS];
    for (int i = 0; i < inCells.length; i++) {
      counts[CLASSIC_BUCKET_OF_CELL[firstCell + i]] += inCells[i];
    }
    return ClassicHistogramBuckets.of(CLASSIC_BOUNDS_SECONDS, counts);
  }

  /** The inclusive upper bound of a classic bucket. */
  static double classicBoundSeconds(int bucket) {
    return bucket == CLASSIC_BUCKETS - 1
        ? Double.POSITIVE_INFINITY
        : Math.scalb(1.0, FIRST_CLASSIC_EXPONENT + bucket);
  }

  /** The underflow cell has no index; that of the zero bucket would be the one below the first. */
  private static int nativeIndexOfCell(int cell) {
    return cell == LatencyBuckets.OVERFLOW_CELL
        ? NATIVE_INDEX_UNBOUNDED
        : LatencyBuckets.FIRST_INDEX - 1 + cell;
  }

  /** The classic bucket that holds a cell. */
  static int classicBucketOfCell(int cell) {
    if (cell == LatencyBuckets.UNDERFLOW_CELL) {
      return 0;
    }
    if (cell == LatencyBuckets.OVERFLOW_CELL) {
      return CLASSIC_BUCKETS - 1;
    }
    int exponent =
        -Math.floorDiv(-LatencyBuckets.nativeIndexOfCell(cell), LatencyBuckets.BUCKETS_PER_OCTAVE);
    return Math.max(0, Math.min(CLASSIC_BUCKETS - 1, exponent - FIRST_CLASSIC_EXPONENT));
  }
}
