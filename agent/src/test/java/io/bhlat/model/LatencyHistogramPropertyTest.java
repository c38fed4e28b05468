// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for any latencies; the seed of a failure is the test's argument. */
class LatencyHistogramPropertyTest {

  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void addingAndSubtractingUndoEachOther(long seed) {
    Random random = new Random(seed);
    long[] first = Samples.random(random, 200);
    long[] second = Samples.random(random, 200);
    LatencyHistogram earlier = Samples.histogram(first);
    LatencyHistogram later = Samples.histogram(Samples.joined(first, second));
    LatencyHistogram growth = later.since(earlier);

    assertThat(growth.count()).isEqualTo(second.length);
    assertThat(growth.sumNs()).isEqualTo(Arrays.stream(second).sum());
    assertThat(growth.maxNs()).isBetween(Samples.histogram(second).maxNs(), later.maxNs());
    if (growth.maxExact()) {
      assertThat(growth.maxNs()).isEqualTo(Samples.histogram(second).maxNs());
    }
    assertSameCounts(earlier.plus(growth), later);
    assertThat(earlier.plus(Samples.histogram(second))).isEqualTo(later);
    assertThat(Samples.histogram(second).plus(earlier)).isEqualTo(later);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theBucketOfAQuantileHoldsTheTrueQuantile(long seed) {
    Random random = new Random(seed);
    long[] latencies = Samples.joined(Samples.random(random, 500), new long[] {random.nextInt(99)});
    Arrays.sort(latencies);
    LatencyHistogram histogram = Samples.histogram(latencies);
    for (double quantile : new double[] {0, 0.01, 0.5, 0.9, 0.99, 0.999, 1, random.nextDouble()}) {
      int rank = Math.max(1, (int) Math.ceil(quantile * latencies.length));
      long trueQuantileNs = latencies[rank - 1];
      assertThat(histogram.quantileBoundNs(quantile)).isGreaterThanOrEqualTo(trueQuantileNs);
      assertThat(histogram.quantileCell(quantile)).isEqualTo(LatencyBuckets.cellOf(trueQuantileNs));
    }
  }

  private static void assertSameCounts(LatencyHistogram actual, LatencyHistogram expected) {
    assertThat(actual.sumNs()).isEqualTo(expected.sumNs());
    for (int cell = 0; cell < LatencyBuckets.CELLS; cell++) {
      assertThat(actual.countInCell(cell)).isEqualTo(expected.countInCell(cell));
    }
  }
}
