// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LatencyBucketsTest {

  private static final List<BucketBoundaries.Row> TABLE = BucketBoundaries.table();

  @Test
  void tableHasEveryBoundOfFiftyOctavesWithItsNeighbours() {
    // 400 bounds, of which the first few octaves share whole nanoseconds
    assertThat(TABLE).hasSizeGreaterThan(1_800);
    assertThat(TABLE.get(0)).isEqualTo(new BucketBoundaries.Row(0, Integer.MIN_VALUE));
    assertThat(TABLE)
        .contains(
            new BucketBoundaries.Row(1, -239),
            new BucketBoundaries.Row(2, -231),
            new BucketBoundaries.Row(999_999_999, 0),
            new BucketBoundaries.Row(1_000_000_000, 0),
            new BucketBoundaries.Row(1_000_000_001, 1),
            new BucketBoundaries.Row(500_000_000, -8),
            new BucketBoundaries.Row(500_000_001, -7),
            new BucketBoundaries.Row(64_000_000_000L, 48),
            new BucketBoundaries.Row(64_000_000_001L, 49));
  }

  @Test
  void givesTheNativeIndexThatSchemaThreeDefines() {
    for (BucketBoundaries.Row row : TABLE) {
      if (row.latencyNs() > 0) {
        assertThat(LatencyBuckets.nativeIndex(row.latencyNs()))
            .as("%d ns", row.latencyNs())
            .isEqualTo(row.nativeIndex());
      }
    }
  }

  @Test
  void countsInTheCellThatTheTableSays() {
    for (BucketBoundaries.Row row : TABLE) {
      assertThat(LatencyBuckets.cellOf(row.latencyNs()))
          .as("%d ns", row.latencyNs())
          .isEqualTo(row.cell());
    }
  }

  @Test
  void everyLatencyLiesWithinTheBoundsOfItsCell() {
    for (BucketBoundaries.Row row : TABLE) {
      assertThat(row.latencyNs())
          .isGreaterThan(LatencyBuckets.lowerBoundNs(row.cell()))
          .isLessThanOrEqualTo(LatencyBuckets.upperBoundNs(row.cell()));
    }
  }

  @Test
  void boundsAreTheWholeNanosecondsBelowTheExactBound() {
    for (int cell = 1; cell < LatencyBuckets.OVERFLOW_CELL; cell++) {
      int index = LatencyBuckets.nativeIndexOfCell(cell);
      assertThat(LatencyBuckets.upperBoundNs(cell)).isEqualTo(BucketBoundaries.boundNs(index));
      assertThat(LatencyBuckets.lowerBoundNs(cell)).isEqualTo(BucketBoundaries.boundNs(index - 1));
      assertThat(LatencyBuckets.upperBoundSeconds(index))
          .isBetween(
              BucketBoundaries.boundNs(index) / 1e9, (BucketBoundaries.boundNs(index) + 1) / 1e9);
    }
  }

  @Test
  void cellsFollowOneAnotherWithoutAGap() {
    assertThat(LatencyBuckets.CELLS).isEqualTo(242);
    assertThat(LatencyBuckets.lowerBoundNs(LatencyBuckets.UNDERFLOW_CELL)).isEqualTo(-1);
    assertThat(LatencyBuckets.upperBoundNs(LatencyBuckets.UNDERFLOW_CELL)).isEqualTo(59);
    for (int cell = 1; cell < LatencyBuckets.CELLS; cell++) {
      assertThat(LatencyBuckets.lowerBoundNs(cell))
          .isEqualTo(LatencyBuckets.upperBoundNs(cell - 1))
          .isLessThan(LatencyBuckets.upperBoundNs(cell));
    }
    assertThat(LatencyBuckets.lowerBoundNs(LatencyBuckets.OVERFLOW_CELL))
        .isEqualTo(64_000_000_000L);
    assertThat(LatencyBuckets.upperBoundNs(LatencyBuckets.OVERFLOW_CELL))
        .isEqualTo(LatencyBuckets.UNBOUNDED_NS);
  }

  @Test
  void refusesWhatIsNoLatencyAndNoBucket() {
    assertThatIllegalArgumentException().isThrownBy(() -> LatencyBuckets.nativeIndex(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyBuckets.cellOf(-1))
        .withMessageContaining("-1 ns");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyBuckets.nativeIndexOfCell(LatencyBuckets.UNDERFLOW_CELL));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyBuckets.nativeIndexOfCell(LatencyBuckets.OVERFLOW_CELL));
  }

  /** Up to 2^49 ns: beyond, one nanosecond is less than what the client's doubles can tell. */
  @Test
  void thePrometheusClientPutsEveryLatencyIntoTheSameBucket() {
    Histogram client =
        Histogram.builder()
            .name("latency_seconds")
            .nativeOnly()
            .nativeInitialSchema(LatencyBuckets.SCHEMA)
            .nativeMinZeroThreshold(0)
            .nativeMaxZeroThreshold(0)
            .nativeMaxNumberOfBuckets(0)
            .build();
    Map<Integer, Long> expected = new TreeMap<>();
    for (BucketBoundaries.Row row : TABLE) {
      if (row.latencyNs() > 0 && row.latencyNs() <= 1L << 49) {
        client.observe(row.latencyNs() / 1e9);
        expected.merge(LatencyBuckets.nativeIndex(row.latencyNs()), 1L, Long::sum);
      }
    }
    NativeHistogramBuckets buckets =
        client.collect().getDataPoints().get(0).getNativeBucketsForPositiveValues();
    for (int i = 0; i < buckets.size(); i++) {
      if (buckets.getCount(i) > 0) {
        assertThat(expected.remove(buckets.getBucketIndex(i)))
            .as("bucket %d", buckets.getBucketIndex(i))
            .isEqualTo(buckets.getCount(i));
      }
    }
    assertThat(expected).isEmpty();
  }
}
