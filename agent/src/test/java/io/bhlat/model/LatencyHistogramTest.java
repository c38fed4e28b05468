// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {

  /** Cells of 100 ns, 1 µs and 1 ms. */
  private static final int SHORT = LatencyBuckets.cellOf(100);

  private static final int MIDDLE = LatencyBuckets.cellOf(1_000);
  private static final int LONG = LatencyBuckets.cellOf(1_000_000);

  private static long[] cells(int... counted) {
    long[] cells = new long[LatencyBuckets.CELLS];
    for (int cell : counted) {
      cells[cell]++;
    }
    return cells;
  }

  @Test
  void countIsTheSumOfTheCells() {
    LatencyHistogram histogram = Samples.histogram(0, 100, 100, 1_000, 65_000_000_000L);
    assertThat(histogram.count()).isEqualTo(5);
    assertThat(histogram.sumNs()).isEqualTo(65_000_001_200L);
    assertThat(histogram.meanNs()).isEqualTo(65_000_001_200L / 5.0);
    assertThat(histogram.maxNs()).isEqualTo(65_000_000_000L);
    assertThat(histogram.countInCell(SHORT)).isEqualTo(2);
    assertThat(histogram.countInCell(LatencyBuckets.UNDERFLOW_CELL)).isEqualTo(1);
    assertThat(histogram.countInCell(LatencyBuckets.OVERFLOW_CELL)).isEqualTo(1);
  }

  @Test
  void nothingCountedIsEmpty() {
    LatencyHistogram histogram = LatencyHistogram.of(cells(), 0, 0);
    assertThat(histogram).isSameAs(LatencyHistogram.EMPTY);
    assertThat(histogram.isEmpty()).isTrue();
    assertThat(histogram.meanNs()).isZero();
    assertThat(histogram.maxNs()).isZero();
  }

  @Test
  void doesNotChangeWithTheArrayItWasMadeFrom() {
    long[] cells = cells(SHORT);
    LatencyHistogram histogram = LatencyHistogram.of(cells, 100, 100);
    cells[SHORT] = 7;
    assertThat(histogram.countInCell(SHORT)).isEqualTo(1);
  }

  @Test
  void refusesCountsThatCannotBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyHistogram.of(new long[241], 0, 0))
        .withMessage("a histogram has 242 cells, not 241");
    long[] negative = cells();
    negative[3] = -1;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyHistogram.of(negative, 0, 0))
        .withMessage("negative count in cell 3: -1");
  }

  @Nested
  class Quantiles {

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.999, 1})
    void ofNothingAreZero(double quantile) {
      assertThat(LatencyHistogram.EMPTY.quantileBoundNs(quantile)).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.999, 1})
    void ofOneSampleAreTheBoundOfItsBucket(double quantile) {
      assertThat(Samples.histogram(1_000).quantileBoundNs(quantile))
          .isEqualTo(LatencyBuckets.upperBoundNs(MIDDLE))
          .isBetween(1_000L, 1_090L);
    }

    @Test
    void zeroIsTheShortestAndOneTheLongest() {
      LatencyHistogram histogram = Samples.histogram(100, 1_000, 1_000_000);
      assertThat(histogram.quantileCell(0)).isEqualTo(SHORT);
      assertThat(histogram.quantileCell(1)).isEqualTo(LONG);
    }

    @Test
    void liesInTheBucketWhereTheShareIsReached() {
      LatencyHistogram histogram = Samples.histogram(100, 100, 100, 1_000_000);
      assertThat(histogram.quantileCell(0.75)).isEqualTo(SHORT);
      assertThat(histogram.quantileCell(0.7500001)).isEqualTo(LONG);
    }

    @Test
    void beyondTheLastBucketHasNoBound() {
      LatencyHistogram histogram = Samples.histogram(100, 65_000_000_000L);
      assertThat(histogram.quantileBoundNs(0.5)).isEqualTo(LatencyBuckets.upperBoundNs(SHORT));
      assertThat(histogram.quantileBoundNs(0.99)).isEqualTo(LatencyBuckets.UNBOUNDED_NS);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, 99, Double.NaN})
    void outsideOfZeroToOneAreRefused(double quantile) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Samples.histogram(100).quantileBoundNs(quantile))
          .withMessageStartingWith("a quantile lies between 0 and 1");
    }
  }

  @Nested
  class Maximum {

    @Test
    void thatIsNotYetWrittenIsTheBoundOfItsBucketAndNotExact() {
      LatencyHistogram histogram = LatencyHistogram.of(cells(SHORT, LONG), 1_000_100, 100);
      assertThat(histogram.maxExact()).isFalse();
      assertThat(histogram.maxNs()).isEqualTo(LatencyBuckets.upperBoundNs(LONG));
    }

    @Test
    void ofAnIntervalIsExactWhenItRose() {
      LatencyHistogram interval =
          Samples.histogram(1_000, 1_500, 100).since(Samples.histogram(1_000));
      assertThat(interval.maxNs()).isEqualTo(1_500);
      assertThat(interval.maxExact()).isTrue();
    }

    @Test
    void ofAnIntervalIsTheBoundOfTheHighestBucketThatGrewWhenItDidNotRise() {
      LatencyHistogram interval =
          Samples.histogram(1_000_000, 1_000, 100).since(Samples.histogram(1_000_000));
      assertThat(interval.maxNs()).isEqualTo(LatencyBuckets.upperBoundNs(MIDDLE));
      assertThat(interval.maxExact()).isFalse();
    }

    @Test
    void ofAnIntervalIsNeverAboveTheMaximumOverall() {
      LatencyHistogram interval = Samples.histogram(1_000, 1_000).since(Samples.histogram(1_000));
      assertThat(interval.maxNs()).isEqualTo(1_000);
      assertThat(interval.maxExact()).isFalse();
    }

    @Test
    void thatTheIntervalBeforeHasCountedIsNotTakenForOneOfThisInterval() {
      // The earlier reading met the kernel between counting 1 µs and writing it as the maximum.
      LatencyHistogram earlier = LatencyHistogram.of(cells(MIDDLE, MIDDLE), 1_990, 990);
      LatencyHistogram interval =
          LatencyHistogram.of(cells(MIDDLE, MIDDLE, SHORT), 2_090, 1_000).since(earlier);
      assertThat(interval.count()).isEqualTo(1);
      assertThat(interval.maxNs()).isEqualTo(LatencyBuckets.upperBoundNs(SHORT));
      assertThat(interval.maxExact()).isFalse();
    }

    @Test
    void ofBothIsTheLarger() {
      LatencyHistogram both = Samples.histogram(100).plus(Samples.histogram(1_000));
      assertThat(both.maxNs()).isEqualTo(1_000);
      assertThat(both.maxExact()).isTrue();
      LatencyHistogram inexact = LatencyHistogram.of(cells(LONG), 1_000_000, 0);
      assertThat(both.plus(inexact).maxExact()).isFalse();
      assertThat(inexact.plus(both).maxNs()).isEqualTo(LatencyBuckets.upperBoundNs(LONG));
    }

    @Test
    void ofBothIsExactWhenOneMeasuredWhatTheOtherIsBoundedBy() {
      long bound = LatencyBuckets.upperBoundNs(LONG);
      LatencyHistogram bounded = LatencyHistogram.of(cells(LONG), 1_000_000, 0);
      LatencyHistogram measured = Samples.histogram(bound);
      assertThat(measured.plus(bounded)).isEqualTo(bounded.plus(measured));
      assertThat(bounded.plus(measured).maxExact()).isTrue();
    }
  }

  @Test
  void growthBelowZeroIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Samples.histogram(100).since(Samples.histogram(100, 100)))
        .withMessage("cell " + SHORT + " shrank from 2 to 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyHistogram.EMPTY.since(Samples.histogram(100)));
  }

  @Test
  void sinceItselfIsEmptyAndSinceNothingIsAll() {
    LatencyHistogram histogram = Samples.histogram(100, 1_000);
    assertThat(histogram.since(histogram)).isSameAs(LatencyHistogram.EMPTY);
    assertThat(histogram.since(LatencyHistogram.EMPTY)).isSameAs(histogram);
    assertThat(histogram.plus(LatencyHistogram.EMPTY)).isSameAs(histogram);
    assertThat(LatencyHistogram.EMPTY.plus(histogram)).isSameAs(histogram);
  }
}
