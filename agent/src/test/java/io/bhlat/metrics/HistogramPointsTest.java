// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramPointsTest {

  private static final long SECOND_NS = 1_000_000_000L;

  private static HistogramDataPointSnapshot point(long... latenciesNs) {
    return point(TestCounts.histogram(latenciesNs));
  }

  private static HistogramDataPointSnapshot point(LatencyHistogram histogram) {
    return HistogramPoints.of(histogram, Labels.EMPTY, TestCounts.ATTACHED_AT);
  }

  private static long classicTotal(HistogramDataPointSnapshot point) {
    ClassicHistogramBuckets buckets = point.getClassicBuckets();
    long total = 0;
    for (int bucket = 0; bucket < buckets.size(); bucket++) {
      total += buckets.getCount(bucket);
    }
    return total;
  }

  private static long nativeTotal(HistogramDataPointSnapshot point) {
    NativeHistogramBuckets buckets = point.getNativeBucketsForPositiveValues();
    long total = point.getNativeZeroCount();
    for (int bucket = 0; bucket < buckets.size(); bucket++) {
      total += buckets.getCount(bucket);
    }
    return total;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void countsTheSameInNativeAndClassicBuckets(long seed) {
    Random random = new Random(seed);
    long[] cells = new long[LatencyBuckets.CELLS];
    Arrays.setAll(cells, cell -> random.nextInt(3) == 0 ? random.nextInt(1000) : 0);
    LatencyHistogram histogram = LatencyHistogram.of(cells, 123_456_789, 1);

    HistogramDataPointSnapshot point = point(histogram);

    assertThat(nativeTotal(point)).isEqualTo(histogram.count());
    assertThat(classicTotal(point)).isEqualTo(histogram.count());
    assertThat(point.getCount()).isEqualTo(histogram.count());
    assertThat(point.getSum()).isEqualTo(0.123456789);
    assertThat(point.getCreatedTimestampMillis()).isEqualTo(TestCounts.ATTACHED_AT.toEpochMilli());
  }

  @Test
  void splitsNoCellBetweenClassicBuckets() {
    for (int cell = 1; cell < LatencyBuckets.OVERFLOW_CELL; cell++) {
      double lower = LatencyBuckets.upperBoundSeconds(LatencyBuckets.nativeIndexOfCell(cell) - 1);
      double upper = LatencyBuckets.upperBoundSeconds(LatencyBuckets.nativeIndexOfCell(cell));
      int bucket = HistogramPoints.classicBucketOfCell(cell);

      assertThat(upper).isLessThanOrEqualTo(HistogramPoints.classicBoundSeconds(bucket));
      if (bucket > 0) {
        assertThat(lower).isGreaterThanOrEqualTo(HistogramPoints.classicBoundSeconds(bucket - 1));
      }
    }
  }

  @Test
  void countsABoundInTheBucketThatEndsThere() {
    HistogramDataPointSnapshot point = point(SECOND_NS, SECOND_NS + 1);

    NativeHistogramBuckets natives = point.getNativeBucketsForPositiveValues();
    assertThat(natives.getBucketIndex(0)).isZero();
    assertThat(natives.getBucketIndex(1)).isEqualTo(1);
    int oneSecond = -HistogramPoints.FIRST_CLASSIC_EXPONENT;
    assertThat(point.getClassicBuckets().getUpperBound(oneSecond)).isEqualTo(1.0);
    assertThat(point.getClassicBuckets().getCount(oneSecond)).isEqualTo(1);
    assertThat(point.getClassicBuckets().getCount(oneSecond + 1)).isEqualTo(1);
  }

  @Test
  void countsWhatIsTooShortInTheZeroBucketAndTheLowestClassicOne() {
    HistogramDataPointSnapshot point = point(0, 1, 59);

    assertThat(point.getNativeZeroCount()).isEqualTo(3);
    assertThat(point.getNativeZeroThreshold()).isEqualTo(Math.pow(2, -24));
    assertThat(point.getNativeBucketsForPositiveValues().size()).isZero();
    assertThat(point.getClassicBuckets().getCount(0)).isEqualTo(3);
  }

  @Test
  void neverCountsOverflowBelowAFiniteBound() {
    HistogramDataPointSnapshot point = point(64 * SECOND_NS + 1, 1000 * SECOND_NS);

    NativeHistogramBuckets natives = point.getNativeBucketsForPositiveValues();
    assertThat(natives.size()).isEqualTo(1);
    assertThat(natives.getBucketIndex(0)).isEqualTo(8193);
    assertThat(LatencyBuckets.upperBoundSeconds(8193)).isEqualTo(Double.POSITIVE_INFINITY);
    ClassicHistogramBuckets classics = point.getClassicBuckets();
    assertThat(classics.getUpperBound(classics.size() - 1)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(classics.getCount(classics.size() - 1)).isEqualTo(2);
  }

  @Test
  void countsFiniteCellsAboveTheLastClassicBoundAsUnbounded() {
    HistogramDataPointSnapshot point = point(60 * SECOND_NS);

    ClassicHistogramBuckets classics = point.getClassicBuckets();
    assertThat(classics.getUpperBound(classics.size() - 2)).isEqualTo(8.0);
    assertThat(classics.getCount(classics.size() - 1)).isEqualTo(1);
    assertThat(point.getNativeBucketsForPositiveValues().getBucketIndex(0)).isEqualTo(48);
  }

  @Test
  void keepsAnEmptyHistogramNative() {
    HistogramDataPointSnapshot point = point(LatencyHistogram.EMPTY);

    assertThat(point.hasNativeHistogramData()).isTrue();
    assertThat(point.getNativeZeroThreshold()).isPositive();
    assertThat(point.getCount()).isZero();
    assertThat(point.getClassicBuckets().size()).isEqualTo(HistogramPoints.CLASSIC_BUCKETS);
  }
}
