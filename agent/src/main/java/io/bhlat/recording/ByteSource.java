// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Reads what a {@link ByteSink} holds. Used by one thread. */
final class ByteSource {

  private final byte[] bytes;
  private final int end;
  private int position;

  ByteSource(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  ByteSource(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.position = from;
    this.end = end;
  }

  boolean isAtEnd() {
    return position == end;
  }

  int remaining() {
    return end - position;
  }

  int takeByte() throws RecordingException {
    require(1);
    return bytes[position++] & 0xff;
  }

  int takeInt() throws RecordingException {
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      value |= takeByte() << shift;
    }
    return value;
  }

  long takeNumber() throws RecordingException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = takeByte();
      value |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new RecordingException("a number of more than 64 bits");
  }

  long takeSigned() throws RecordingException {
    long value = takeNumber();
    return (value >>> 1) ^ -(value & 1);
  }

  /**
   * A number that counts things or is the index of one.
   *
   * @param below what it must be smaller than
   */
  int takeIndex(int below) throws RecordingException {
    long value = takeNumber();
    if (value < 0 || value >= below) {
      throw new RecordingException(
          Long.toUnsignedString(value) + " in the place of a number below " + below);
    }
    return (int) value;
  }

  /** How many entries follow, each of at least a byte. */
  int takeCount() throws RecordingException {
    return takeIndex(remaining() + 1);
  }

  String takeText() throws RecordingException {
    byte[] text = takeBytes(takeCount());
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    } catch (CharacterCodingException e) {
      throw new RecordingException("a text that is not UTF-8", e);
    }
  }

  /** A moment of this calendar; anything else is damage. */
  Instant takeInstant() throws RecordingException {
    long seconds = takeSigned();
    long nanos = takeNumber();
    if (nanos < 0
        || nanos >= 1_000_000_000L
        || seconds < Instant.MIN.getEpochSecond()
        || seconds > Instant.MAX.getEpochSecond()) {
      throw new RecordingException("a time that is none");
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  byte[] takeBytes(int count) throws RecordingException {
    require(count);
    byte[] taken = new byte[count];
    System.arraycopy(bytes, position, taken, 0, count);
    position += count;
    return taken;
  }

  /** The next bytes as a source of their own, which is left behind at once. */
  ByteSource takeSource(int count) throws RecordingException {
    require(count);
    ByteSource part = new ByteSource(bytes, position, position + count);
    position += count;
    return part;
  }

  private void require(int count) throws RecordingException {
    if (count < 0 || remaining() < count) {
      throw new RecordingException("it ends within a value");
    }
  }
}
