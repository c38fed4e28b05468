// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.math.BigInteger;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The one table that every implementation of the buckets is tested over: latencies around all
 * bounds, with the native index that schema 3 gives them by its definition, in exact arithmetic.
 *
 * <p>Bucket i holds (10^9 · 2^((i−1)/8), 10^9 · 2^(i/8)] ns. The eighth power turns that into whole
 * numbers: v^8 ≤ 10^72 · 2^i. Nothing of {@link LatencyBuckets} is used here.
 */
public final class BucketBoundaries {

  /** 10^9 to the eighth. */
  private static final BigInteger SECOND = BigInteger.TEN.pow(72);

  /** 1 ns is in bucket −239: 2^(−239/8) s are 1.02 ns, 2^(−240/8) s are 0.93 ns. */
  private static final int LOWEST_INDEX = -239;

  /** Bounds of buckets up to this one are below 2^50 ns. */
  private static final int HIGHEST_INDEX = 160;

  private static final int NEIGHBOURS = 2;

  private BucketBoundaries() {}

  /**
   * A latency and where it belongs.
   *
   * @param latencyNs the latency in nanoseconds
   * @param nativeIndex its bucket; for a latency of 0, which none holds, {@link Integer#MIN_VALUE}
   */
  public record Row(long latencyNs, int nativeIndex) {

    /** The cell of a histogram: 0 is underflow, 1 … 240 are buckets −191 … 48, 241 is overflow. */
    public int cell() {
      return nativeIndex < -191 ? 0 : nativeIndex > 48 ? 241 : nativeIndex + 192;
    }
  }

  /** The table, ascending by latency. */
  public static List<Row> table() {
    NavigableSet<Long> latencies = new TreeSet<>();
    for (int index = LOWEST_INDEX; index <= HIGHEST_INDEX; index++) {
      addAround(latencies, boundNs(index), NEIGHBOURS);
    }
    for (int exponent = 0; exponent <= 62; exponent++) {
      addAround(latencies, 1L << exponent, 1);
    }
    for (long decimal = 1; decimal <= 1_000_000_000_000_000_000L / 10; decimal *= 10) {
      addAround(latencies, decimal, 1);
    }
    latencies.addAll(List.of(0L, 1L, 2L, Long.MAX_VALUE - 1, Long.MAX_VALUE));
    return latencies.stream().map(latency -> new Row(latency, indexOf(latency))).toList();
  }

  /** The largest whole number of nanoseconds in a bucket or below: ⌊10^9 · 2^(index/8)⌋. */
  static long boundNs(int index) {
    return eighthPowerOfBound(index).sqrt().sqrt().sqrt().longValueExact();
  }

  private static int indexOf(long latencyNs) {
    if (latencyNs == 0) {
      return Integer.MIN_VALUE;
    }
    BigInteger eighthPower = BigInteger.valueOf(latencyNs).pow(8);
    int index = LOWEST_INDEX;
    while (eighthPower.compareTo(eighthPowerOfBound(index)) > 0) {
      index++;
    }
    return index;
  }

  /** ⌊10^72 · 2^index⌋: what a whole number is compared with may be rounded down. */
  private static BigInteger eighthPowerOfBound(int index) {
    return SECOND.shiftLeft(index);
  }

  private static void addAround(NavigableSet<Long> latencies, long middle, int distance) {
    for (long latency = middle - distance; latency <= middle + distance; latency++) {
      if (latency >= 0) {
        latencies.add(latency);
      }
    }
  }
}
