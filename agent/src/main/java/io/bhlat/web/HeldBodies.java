// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.util.IdentityHashMap;

/** The bodies that are being written, each counted once. Only the server's I/O thread. */
final class HeldBodies {

  private final long maxBytes;
  private final IdentityHashMap<Bytes, Integer> writers = new IdentityHashMap<>();
  private long bytes;

  HeldBodies(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  void add(Bytes body) {
    if (writers.merge(body, 1, Integer::sum) == 1) {
      bytes += body.length();
    }
  }

  void remove(Bytes body) {
    if (writers.merge(body, -1, Integer::sum) == 0) {
      writers.remove(body);
      bytes -= body.length();
    }
  }

  long bytes() {
    return bytes;
  }

  boolean tooMany() {
    return bytes > maxBytes;
  }
}
