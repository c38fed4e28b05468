// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

/**
 * The one definition of the buckets that latencies are counted in: Prometheus native histograms of
 * schema 3, in nanoseconds, exactly.
 *
 * <p>Bucket {@code i} of schema 3 holds the latencies in (2^((i-1)/8), 2^(i/8)] seconds. In whole
 * nanoseconds its inclusive upper bound is ⌊10^9 · 2^(i/8)⌋. Those bounds have the same eight
 * mantissas in every octave, so that an index costs a count of leading zeros and up to eight
 * comparisons, in C as in Java; both sides are tested over one generated table of boundaries.
 *
 * <p>A histogram is an array of {@link #CELLS} cells:
 *
 * <pre>
 *   cell 0            underflow: at most 2^-24 s (59.6 ns)
 *   cells 1 … 240     buckets −191 … 48: the last ends at 64 s
 *   cell 241          overflow: more than 64 s, without a bound
 * </pre>
 */
public final class LatencyBuckets {

  /** The schema of Prometheus native histograms: 2^3 buckets an octave. */
  public static final int SCHEMA = 3;

  /** Buckets for each power of two. */
  public static final int BUCKETS_PER_OCTAVE = 1 << SCHEMA;

  /** Native index of the first finite bucket; its lower bound is 2^-24 s. */
  public static final int FIRST_INDEX = -24 * BUCKETS_PER_OCTAVE + 1;

  /** Native index of the last finite bucket; its upper bound is 2^6 s. */
  public static final int LAST_INDEX = 6 * BUCKETS_PER_OCTAVE;

  /** Cells of a histogram: the finite buckets, underflow and overflow. */
  public static final int CELLS = LAST_INDEX - FIRST_INDEX + 1 + 2;

  /** The cell of latencies up to and including 2^-24 s. */
  public static final int UNDERFLOW_CELL = 0;

  /** The cell of latencies above 64 s. */
  public static final int OVERFLOW_CELL = CELLS - 1;

  /** The upper bound of {@link #OVERFLOW_CELL}, in nanoseconds: none. */
  public static final long UNBOUNDED_NS = Long.MAX_VALUE;

  /** ⌊2^34 · 10^9 · 2^(j/8) ⌋ normalised to 64 bits: a mantissa above T[j] is past bound j. */
  private static final long[] THRESHOLDS = {
    0x81ffa7a9549ca6e3L,
    0x8dc3b8960164a7d9L,
    0x9a9867054d512391L,
    0xa8965f74bf065071L,
    0xb7d88a12d0dd9ea0L,
    0xc87c3e7d03cdbec3L,
    0xdaa17c2cd19555dbL,
    0xee6b280000000000L
  };

  /** Places bucket 0 (one second) at exponent 29 of the nanoseconds, threshold 7. */
  private static final int INDEX_BIAS = 239;

  private LatencyBuckets() {}

  /**
   * The native index of a latency, not limited to the finite buckets.
   *
   * @param latencyNs the latency in nanoseconds, above 0
   */
  public static int nativeIndex(long latencyNs) {
    if (latencyNs <= 0) {
      throw new IllegalArgumentException("a native index needs a latency above 0 ns: " + latencyNs);
    }
    int leadingZeros = Long.numberOfLeadingZeros(latencyNs);
    long mantissa = latencyNs << leadingZeros;
    int exponent = 63 - leadingZeros;
    int passed = 0;
    for (long threshold : THRESHOLDS) {
      if (Long.compareUnsigned(mantissa, threshold) > 0) {
        passed++;
      }
    }
    return BUCKETS_PER_OCTAVE * exponent + passed - INDEX_BIAS;
  }

  /** The cell that counts a latency in nanoseconds; 0 is underflow like all that is too short. */
  public static int cellOf(long latencyNs) {
    if (latencyNs < 0) {
      throw new IllegalArgumentException("a latency cannot be negative: " + latencyNs + " ns");
    }
    if (latencyNs == 0) {
      return UNDERFLOW_CELL;
    }
    return Math.max(
        UNDERFLOW_CELL, Math.min(OVERFLOW_CELL, nativeIndex(latencyNs) - FIRST_INDEX + 1));
  }

  /** The native index of a finite cell. */
  public static int nativeIndexOfCell(int cell) {
    if (cell <= UNDERFLOW_CELL || cell >= OVERFLOW_CELL) {
      throw new IllegalArgumentException("cell " + cell + " is not a finite bucket");
    }
    return cell + FIRST_INDEX - 1;
  }

  /**
   * The inclusive upper bound of a cell in whole nanoseconds, {@link #UNBOUNDED_NS} for overflow.
   */
  public static long upperBoundNs(int cell) {
    if (cell == OVERFLOW_CELL) {
      return UNBOUNDED_NS;
    }
    return boundNs(cell + FIRST_INDEX - 1);
  }

  /** The exclusive lower bound of a cell in whole nanoseconds; −1 for underflow, which holds 0. */
  public static long lowerBoundNs(int cell) {
    return cell == UNDERFLOW_CELL ? -1 : boundNs(cell + FIRST_INDEX - 2);
  }

  /** The inclusive upper bound of a native bucket in seconds, 2^(index/8). */
  public static double upperBoundSeconds(int nativeIndex) {
    return Math.pow(2.0, (double) nativeIndex / BUCKETS_PER_OCTAVE);
  }

  /** The eight thresholds, for the C side and for tests. A copy. */
  public static long[] thresholds() {
    return THRESHOLDS.clone();
  }

  private static long boundNs(int nativeIndex) {
    int biased = nativeIndex + INDEX_BIAS;
    int exponent = Math.floorDiv(biased, BUCKETS_PER_OCTAVE);
    int threshold = Math.floorMod(biased, BUCKETS_PER_OCTAVE);
    return THRESHOLDS[threshold] >>> (63 - exponent);
  }
}
