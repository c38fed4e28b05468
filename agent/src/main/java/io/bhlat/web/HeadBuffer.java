// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a client sent and was not answered yet: part of a head, or a head and what follows it. Holds
 * no memory while it is empty. Only the server's I/O thread.
 */
final class HeadBuffer {

  private static final byte[] EMPTY = {};
  private static final byte NEWLINE = '\n';
  private static final byte RETURN = '\r';

  private final int maxHeadBytes;
  private final InetAddress peer;
  private byte[] bytes = EMPTY;
  private int length;
  private int scanned;

  HeadBuffer(int maxHeadBytes, InetAddress peer) {
    this.peer = peer;
    this.maxHeadBytes = maxHeadBytes;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** Appends what was read. */
  void append(ByteBuffer from) {
    int count = from.remaining();
    if (bytes.length < length + count) {
      bytes = Arrays.copyOf(bytes, Math.max(length + count, Math.min(2 * length, maxHeadBytes)));
    }
    from.get(bytes, length, count);
    length += count;
  }

  /**
   * Takes the next head out.
   *
   * @return empty if its end has not come yet
   * @throws BadRequestException if it is none or too long
   */
  Optional<Head> take() throws BadRequestException {
    skipEmptyLines();
    if (length > 0 && bytes[0] <= ' ') {
      throw new BadRequestException(
          400, "Not an HTTP/1.1 request: expected a line such as GET /metrics HTTP/1.1.");
    }
    int end = end();
    if (end < 0 ? length > maxHeadBytes : end > maxHeadBytes) {
      throw new BadRequestException(
          431,
          "The request line and headers are longer than "
              + maxHeadBytes
              + " bytes; send fewer or shorter ones.");
    }
    if (end < 0) {
      return Optional.empty();
    }
    Head head = Head.parse(bytes, end, peer);
    drop(end);
    return Optional.of(head);
  }

  /** Some clients end a body with an empty line that belongs to nothing. */
  private void skipEmptyLines() {
    int start = 0;
    while (start < length && (bytes[start] == NEWLINE || bytes[start] == RETURN)) {
      start++;
    }
    if (start > 0) {
      drop(start);
    }
  }

  /** The index after the empty line that ends the head, or -1. What was searched is remembered. */
  private int end() {
    for (int i = scanned; i < length; i++) {
      if (bytes[i] == NEWLINE && isEmptyLineBefore(i)) {
        return i + 1;
      }
    }
    scanned = length;
    return -1;
  }

  private boolean isEmptyLineBefore(int end) {
    int last = end - 1;
    if (last > 0 && bytes[last] == RETURN) {
      last--;
    }
    return last >= 0 && bytes[last] == NEWLINE;
  }

  private void drop(int count) {
    length -= count;
    scanned = 0;
    bytes = length == 0 ? EMPTY : Arrays.copyOfRange(bytes, count, count + length);
  }
}
