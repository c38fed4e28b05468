// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import java.util.ArrayDeque;
import java.util.Deque;

/** Native handles that belong together, closed in the opposite order. Not thread-safe. */
final class Handles implements AutoCloseable {

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Takes over a handle. */
  <T extends AutoCloseable> T add(T handle) {
    open.push(handle);
    return handle;
  }

  /** Closes all; idempotent. */
  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("close a BPF handle", e);
      }
    }
  }
}
