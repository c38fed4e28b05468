/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The buckets of Prometheus native histograms of schema 3, counted exactly in whole nanoseconds.
 *
 * Bucket i holds (2^((i-1)/8), 2^(i/8)] seconds. In nanoseconds the eight bounds of an octave have
 * the same mantissas in every octave, so the index is 8 * exponent + (mantissa thresholds passed),
 * shifted so that bucket 0 ends at one second. io.bhlat.model.LatencyBuckets is the same in Java;
 * both are tested over one generated table, and this file on the host's compiler too.
 *
 * Pure arithmetic: also compiled outside BPF. Needs u32, u64 and the BUCKET_* constants.
 */
#ifndef BHLAT_BUCKETS_H
#define BHLAT_BUCKETS_H

/* 8 * 29 + 7: one second is bucket 0 and has exponent 29 in nanoseconds and the last mantissa. */
#define BUCKET_INDEX_BIAS 239

/* How many of the eight thresholds a mantissa (highest bit set) is above: a search tree. */
static inline __attribute__((always_inline)) u32 thresholds_passed(u64 mantissa)
{
	if (mantissa > 0xa8965f74bf065071ULL) {
		if (mantissa > 0xc87c3e7d03cdbec3ULL) {
			if (mantissa > 0xdaa17c2cd19555dbULL)
				return mantissa > 0xee6b280000000000ULL ? 8 : 7;
			return 6;
		}
		return mantissa > 0xb7d88a12d0dd9ea0ULL ? 5 : 4;
	}
	if (mantissa > 0x8dc3b8960164a7d9ULL)
		return mantissa > 0x9a9867054d512391ULL ? 3 : 2;
	return mantissa > 0x81ffa7a9549ca6e3ULL ? 1 : 0;
}

/* The position of the highest set bit of a value above 0 and below 2^36. */
static inline __attribute__((always_inline)) u32 highest_bit(u64 value)
{
	u32 bit = 0;

	if (value >> 32) {
		value >>= 32;
		bit = 32;
	}
	if (value >> 16) {
		value >>= 16;
		bit += 16;
	}
	if (value >> 8) {
		value >>= 8;
		bit += 8;
	}
	if (value >> 4) {
		value >>= 4;
		bit += 4;
	}
	if (value >> 2) {
		value >>= 2;
		bit += 2;
	}
	return bit + (u32)(value >> 1);
}

/*
 * The cell that counts a latency: 0 below the first finite bucket, BUCKET_CELLS - 1 above the last.
 * Never out of range, whatever the latency.
 */
static inline __attribute__((always_inline)) u32 bucket_cell(u64 latency_ns)
{
	u32 exponent;

	if (latency_ns <= BUCKET_UNDERFLOW_NS)
		return 0;
	if (latency_ns > BUCKET_LARGEST_NS)
		return BUCKET_CELLS - 1;
	exponent = highest_bit(latency_ns);
	return 8 * exponent + thresholds_passed(latency_ns << (63 - exponent)) - BUCKET_INDEX_BIAS -
	       (BUCKET_FIRST_INDEX) + 1;
}

#endif
