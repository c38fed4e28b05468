// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.time.Duration;

/**
 * How much of this process clients may take.
 *
 * @param maxConnections open at once; for one more, the one that has waited longest for its request
 *     is closed
 * @param maxHeadBytes of a request line and its headers
 * @param headTime from the first byte of a request, or from connecting, to the end of its headers;
 *     a TLS handshake is part of it
 * @param idleTime that a connection may wait for its next request
 * @param responseTime to read an answer; a second more for every {@link #RESPONSE_BYTES_PER_SECOND}
 * @param workers threads that answer
 * @param maxWaiting requests and handshakes that may wait for a worker; one more is 503
 * @param maxHeldBytes of bodies that clients have not read yet; beyond that, those who have been
 *     reading longest are cut off
 */
record Limits(
    int maxConnections,
    int maxHeadBytes,
    Duration headTime,
    Duration idleTime,
    Duration responseTime,
    int workers,
    int maxWaiting,
    long maxHeldBytes) {

  /** Slower than that nobody may read. */
  static final int RESPONSE_BYTES_PER_SECOND = 256 * 1024;

  private static final int HELD_FRACTION = 4;

  /** For a daemon with a small heap that a few servers scrape, and a hundred on a bad day. */
  static Limits ofDaemon() {
    return new Limits(
        200,
        16 * 1024,
        Duration.ofSeconds(10),
        Duration.ofSeconds(150),
        Duration.ofSeconds(20),
        2,
        256,
        Runtime.getRuntime().maxMemory() / HELD_FRACTION);
  }

  /** When an answer of that length must have been read, from its first byte on. */
  long responseNs(long bytes) {
    return responseTime.plusSeconds(bytes / RESPONSE_BYTES_PER_SECOND).toNanos();
  }
}
