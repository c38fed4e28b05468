// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Arrays;
import java.util.Random;

/** Histograms of known latencies, counted as the kernel counts them. */
final class Samples {

  private Samples() {}

  /** The histogram of these latencies in nanoseconds. */
  static LatencyHistogram histogram(long... latenciesNs) {
    long[] cells = new long[LatencyBuckets.CELLS];
    for (long latency : latenciesNs) {
      cells[LatencyBuckets.cellOf(latency)]++;
    }
    return LatencyHistogram.of(
        cells, Arrays.stream(latenciesNs).sum(), Arrays.stream(latenciesNs).max().orElse(0));
  }

  /** That many latencies of one nanosecond more than 59, so that each is in the first bucket. */
  static LatencyHistogram counting(int count) {
    long[] latencies = new long[count];
    Arrays.fill(latencies, 60);
    return histogram(latencies);
  }

  /** Up to that many latencies, spread evenly over the powers of two from 1 ns to beyond 64 s. */
  static long[] random(Random random, int most) {
    long[] latencies = new long[random.nextInt(most + 1)];
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = (long) Math.pow(2, random.nextDouble() * 38);
    }
    return latencies;
  }

  /** Both, one after the other. */
  static long[] joined(long[] first, long[] second) {
    long[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }
}
