// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * How the parts of a recording follow one another.
 *
 * <pre>
 *   0               1                                               5
 *  +---------------+-----------------------------------------------+
 *  | type          | length of the payload, lowest byte first      |
 *  +---------------+-----------------------------------------------+   9
 *  | CRC32C of type, length and payload, lowest byte first         |
 *  +---------------------------------------------------------------+   9 + length
 *  | payload                                                     ...
 *  +---------------------------------------------------------------
 * </pre>
 */
final class Frames {

  /** The first bytes of every recording: what a transfer as text would break is among them. */
  static final byte[] MAGIC = {(byte) 0x89, 'b', 'h', 'l', 'a', 't', '\r', '\n'};

  /** Which readers can read it. */
  static final int FORMAT = 1;

  static final int HEADER = 1;

  /** What was counted between two snapshots. */
  static final int COUNTS = 2;

  /** Payloads of several such frames, each behind its length, deflated. */
  static final int BLOCK = 3;

  static final int OVERHEAD_BYTES = 9;

  /** A frame of 4,096 CPUs that all counted everything is smaller. */
  static final int MOST_BYTES = 256 << 20;

  private Frames() {}

  /** A frame that was read. */
  @SuppressWarnings("ArrayRecordComponent") // never leaves the package, and never compared
  record Frame(int type, byte[] payload) {}

  static void writeStart(OutputStream out) throws IOException {
    ByteSink sink = new ByteSink();
    sink.putBytes(MAGIC, 0, MAGIC.length);
    sink.putInt(FORMAT);
    out.write(sink.array(), 0, sink.length());
  }

  static void readStart(InputStream in) throws IOException {
    byte[] start = in.readNBytes(MAGIC.length + Integer.BYTES);
    if (start.length < MAGIC.length
        || !Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new RecordingException("it is no recording of bhlat");
    }
    int format = new ByteSource(start, MAGIC.length, start.length).takeInt();
    if (format != FORMAT) {
      throw new RecordingException(
          "it has format "
              + format
              + " and this bhlat reads format "
              + FORMAT
              + "; use the version of bhlat that recorded, or a newer one");
    }
  }

  static void write(OutputStream out, int type, byte[] payload, int length) throws IOException {
    ByteSink head = new ByteSink();
    head.putByte(type);
    head.putInt(length);
    head.putInt(checksum(type, payload, length));
    out.write(head.array(), 0, head.length());
    out.write(payload, 0, length);
  }

  /**
   * Reads the next frame.
   *
   * @throws Damage if what follows is no whole frame, or nothing follows
   */
  static Frame read(InputStream in) throws IOException, Damage {
    byte[] head = in.readNBytes(OVERHEAD_BYTES);
    if (head.length < OVERHEAD_BYTES) {
      throw new Damage(head.length, head.length == 0 ? "" : "it ends within a frame");
    }
    ByteSource source = new ByteSource(head);
    int type = source.takeByte();
    int length = source.takeInt();
    int checksum = source.takeInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new Damage(head.length, "a frame has an impossible length");
    }
    byte[] payload = in.readNBytes(length);
    if (payload.length < length) {
      throw new Damage(head.length + payload.length, "it ends within a frame");
    }
    if (checksum(type, payload, length) != checksum) {
      throw new Damage(head.length + payload.length, "a frame's checksum is wrong");
    }
    return new Frame(type, payload);
  }

  private static int checksum(int type, byte[] payload, int length) {
    CRC32C crc = new CRC32C();
    crc.update(type);
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      crc.update(length >>> shift);
    }
    crc.update(payload, 0, length);
    return (int) crc.getValue();
  }

  /** No further frame can be read. */
  static final class Damage extends Exception {
    private static final long serialVersionUID = 1L;
    private final int bytes;

    Damage(int bytes, String reason) {
      super(reason);
      this.bytes = bytes;
    }

    /** How many bytes were read that are none of a frame. */
    int bytes() {
      return bytes;
    }

    /** What is wrong; empty if the recording just ends. */
    String reason() {
      return String.valueOf(getMessage());
    }
  }
}
