// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.nio.ByteBuffer;

/**
 * The memory that the I/O thread reads into and encrypts into, for all connections: what must
 * outlive a call is copied out. Outside the heap, so that the JDK makes no copies of its own.
 */
final class Scratch {

  /** The longest record that the JDK's TLS takes or makes (16 KB and what it allows others). */
  private static final int RECORD_BYTES = 34 * 1024;

  private final ByteBuffer received = ByteBuffer.allocateDirect(RECORD_BYTES);
  private final ByteBuffer sending = ByteBuffer.allocateDirect(RECORD_BYTES);
  private final ByteBuffer plain = ByteBuffer.allocateDirect(RECORD_BYTES);

  /** Records as they came. */
  ByteBuffer received() {
    return received;
  }

  /** Records that go out. */
  ByteBuffer sending() {
    return sending;
  }

  /** What was read, decrypted. */
  ByteBuffer plain() {
    return plain;
  }
}
