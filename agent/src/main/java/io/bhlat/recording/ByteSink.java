// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Bytes that grow at their end: the numbers and texts of docs/RECORDING.md, "Elements". Used by one
 * thread.
 */
final class ByteSink {

  private static final int FIRST_BYTES = 1024;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  int length() {
    return length;
  }

  /** Forgets what was put, and keeps the room. */
  void clear() {
    length = 0;
  }

  /** The array behind it, of which the first {@link #length} bytes count. Not a copy. */
  byte[] array() {
    return bytes;
  }

  byte[] toArray() {
    return Arrays.copyOf(bytes, length);
  }

  /** One byte. */
  void putByte(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
  }

  /** Four bytes, the lowest first. */
  void putInt(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      putByte(value >>> shift);
    }
  }

  /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
  void putNumber(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  /** A number that may be negative and mostly is near 0: 0, -1, 1, -2 become 0, 1, 2, 3. */
  void putSigned(long value) {
    putNumber((value << 1) ^ (value >> 63));
  }

  /** Length and UTF-8. */
  void putText(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    putNumber(encoded.length);
    putBytes(encoded, 0, encoded.length);
  }

  /** Seconds since 1970, signed, and nanoseconds. */
  void putInstant(Instant instant) {
    long seconds = instant.getEpochSecond();
    int nanos = instant.getNano();
    putSigned(seconds);
    putNumber(nanos);
  }

  void putBytes(byte[] from, int offset, int count) {
    ensure(count);
    System.arraycopy(from, offset, bytes, length, count);
    length += count;
  }

  /** The whole of another, without its length. */
  void putAll(ByteSink other) {
    putBytes(other.bytes, 0, other.length);
  }

  private void ensure(int further) {
    if (bytes.length - length < further) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + further));
    }
  }
}
