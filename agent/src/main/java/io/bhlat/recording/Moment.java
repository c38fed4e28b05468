// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import java.time.Instant;

/**
 * When a snapshot was taken.
 *
 * @param wall wall clock, which may be set
 * @param ns monotonic clock in nanoseconds, with the zero of whoever recorded
 */
record Moment(Instant wall, long ns) {}
