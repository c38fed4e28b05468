// SPDX-License-Identifier: Apache-2.0
/**
 * Measurements that are kept: as files, and the last minutes in the memory of a daemon.
 *
 * <p>A recording is a header, which says what the host is and what was measured, and frames, each
 * the sparse difference of two snapshots. docs/RECORDING.md has every byte. {@link
 * io.bhlat.recording.RecordingWriter} writes one as it is measured, {@link
 * io.bhlat.recording.FlightRecorder} keeps its newest part, {@link
 * io.bhlat.recording.RecordingReader} reads one, and {@link io.bhlat.recording.IntervalSum} makes
 * of consecutive frames the interval that the snapshots at both ends would have given, exactly.
 *
 * <p><b>Footprint.</b> See docs/RECORDING.md, "Size". A recorder also keeps the last snapshot,
 * which shares with the next what did not change.
 *
 * <p><b>Concurrency.</b> {@link io.bhlat.recording.FlightRecorder} is thread-safe; readers, writers
 * and sums are used by one thread each.
 */
@NullMarked
package io.bhlat.recording;

import org.jspecify.annotations.NullMarked;
