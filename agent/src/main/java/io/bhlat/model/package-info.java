// SPDX-License-Identifier: Apache-2.0
/**
 * What is measured, as immutable values that need no kernel.
 *
 * <p><b>Range and precision.</b> Latencies are counted in nanoseconds into the buckets of
 * Prometheus native histograms of schema 3 (8 per power of two, bounds 9.05 % apart), see {@link
 * io.bhlat.model.LatencyBuckets}: 240 finite buckets from 59.6 ns to 64 s, one cell below and one
 * above.
 *
 * <p><b>Footprint.</b> A {@link io.bhlat.model.LatencyHistogram} holds a long for each cell from
 * its first to its last count, 242 at most (2 KB); empty ones share one instance. A {@link
 * io.bhlat.model.Snapshot} holds up to 33 histograms a CPU and two a function.
 *
 * <p><b>Concurrency.</b> Everything here is immutable and may be shared between threads. Counts
 * only grow from one snapshot to the next; what happened in between is their difference, an {@link
 * io.bhlat.model.Interval}.
 */
@NullMarked
package io.bhlat.model;

import org.jspecify.annotations.NullMarked;
