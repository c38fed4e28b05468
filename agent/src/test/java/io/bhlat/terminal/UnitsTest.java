// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnitsTest {

  private final Units units = Units.forCharset(UTF_8);

  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "7, 7 ns",
    "999, 999 ns",
    "1000, 1.00 µs",
    "1907, 1.91 µs",
    "9994, 9.99 µs",
    "9995, 10.0 µs",
    "65536, 65.5 µs",
    "999499, 999 µs",
    "999500, 1.00 ms",
    "3906250, 3.91 ms",
    "2000000000, 2.00 s",
    "64000000000, 64.0 s",
    "1234000000000, '1,234 s'",
    "86400000000000, 24.0 h",
    "9223372036854775807, 292 y",
  })
  void durationsHaveThreeDigitsInAUnitThatFits(long ns, String text) {
    assertThat(units.duration(ns)).isEqualTo(text);
  }

  @Test
  void aMeanOfNanosecondsKeepsItsFraction() {
    assertThat(units.approximateDuration(59.604)).isEqualTo("59.6 ns");
    assertThat(units.approximateDuration(0.25)).isEqualTo("0.25 ns");
  }

  @Test
  void boundsAreInequalitiesAndOverflowHasNone() {
    assertThat(units.bound(LatencyBuckets.UNDERFLOW_CELL)).isEqualTo("≤ 59.6 ns");
    assertThat(units.bound(LatencyBuckets.cellOf(62_000))).isEqualTo("≤ 66.6 µs");
    assertThat(units.bound(LatencyBuckets.OVERFLOW_CELL - 1)).isEqualTo("≤ 64.0 s");
    assertThat(units.bound(LatencyBuckets.OVERFLOW_CELL)).isEqualTo("> 64 s");
  }

  @Test
  void everyBoundHasThreeDigitsAndFitsSevenColumns() {
    for (int cell = 0; cell < LatencyBuckets.OVERFLOW_CELL; cell++) {
      assertThat(units.bareBound(cell))
          .matches("(\\d\\.\\d\\d|\\d\\d\\.\\d|\\d{3}) (ns|µs|ms|s)")
          .hasSizeLessThanOrEqualTo(7);
    }
  }

  @Test
  void aMaximumThatWasNotMeasuredSaysSo() {
    LatencyHistogram measured = Example.histogram(1, () -> 62_000);
    assertThat(units.maximum(measured)).isEqualTo("62.0 µs");
    LatencyHistogram grown = measured.plus(measured).since(measured);
    assertThat(units.maximum(grown)).isEqualTo("≤ 62.0 µs");
    long[] cells = new long[LatencyBuckets.CELLS];
    cells[LatencyBuckets.OVERFLOW_CELL] = 1;
    assertThat(units.maximum(LatencyHistogram.of(cells, 0, 0))).isEqualTo("> 64 s");
    assertThat(units.maximum(LatencyHistogram.EMPTY)).isEqualTo("–");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 /s",
    "0.03, 0.030 /s",
    "4.1, 4.10 /s",
    "999.4, 999 /s",
    "999.6, 1.00 k/s",
    "12345, 12.3 k/s",
    "2.5e6, 2.50 M/s",
  })
  void ratesHaveThreeDigits(double perSecond, String text) {
    assertThat(units.rate(perSecond)).isEqualTo(text);
  }

  @Test
  void countsFitSevenColumnsWhereTheyMust() {
    assertThat(units.count(12_345_678)).isEqualTo("12,345,678");
    assertThat(units.shortCount(999_999)).isEqualTo("999,999");
    assertThat(units.shortCount(12_345_678)).isEqualTo("12.3 M");
    assertThat(units.shortCount(Long.MAX_VALUE)).isEqualTo("9.22 E");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 %",
    "0.000001, <0.001 %",
    "0.00012, 0.012 %",
    "0.123, 12.3 %",
    "0.99999, 99.9 %",
    "1, 100 %",
    "2.534, 253 %",
  })
  void noShareRoundsToNothingOrToAll(double share, String text) {
    assertThat(units.percent(share)).isEqualTo(text);
  }

  @Test
  void anEncodingThatLacksACharacterGetsAscii() {
    assertThat(Units.forCharset(US_ASCII).duration(1_910)).isEqualTo("1.91 us");
    assertThat(Units.forCharset(ISO_8859_1).bound(0)).isEqualTo("<= 59.6 ns");
  }
}
