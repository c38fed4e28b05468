// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.nio.ByteBuffer;

/** How far an answer has been written. Only the server's I/O thread. */
final class Sending {

  private final Bytes body;
  private ByteBuffer current;
  private int next;

  Sending(ByteBuffer head, Bytes body) {
    this.current = head;
    this.body = body;
  }

  Bytes body() {
    return body;
  }

  /**
   * Writes on.
   *
   * @return whether all is on its way
   */
  boolean writeTo(Transport transport) throws IOException {
    while (transport.write(current)) {
      if (next == body.chunkCount()) {
        return true;
      }
      current = body.chunk(next);
      next++;
    }
    return false;
  }
}
