// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The payload of a block: the length of what is deflated, then that. */
final class Blocks {

  /** Deflating makes nothing shorter than by this factor. */
  private static final int MOST_DEFLATED = 1032;

  private Blocks() {}

  /** Makes a block of payloads that lie one after the other, each behind its length. */
  static byte[] deflate(ByteSink payloads) {
    ByteSink block = new ByteSink();
    block.putNumber(payloads.length());
    Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    try {
      deflater.setInput(payloads.array(), 0, payloads.length());
      deflater.finish();
      byte[] part = new byte[8 << 10];
      while (!deflater.finished()) {
        block.putBytes(part, 0, deflater.deflate(part));
      }
    } finally {
      deflater.end();
    }
    return block.toArray();
  }

  /** The payloads of a block, in their order. */
  static List<ByteSource> inflate(byte[] block) throws RecordingException {
    ByteSource source = new ByteSource(block);
    int length = source.takeIndex(Frames.MOST_BYTES);
    if (length / MOST_DEFLATED > block.length) {
      throw new RecordingException("a block that says of itself what cannot be");
    }
    int head = block.length - source.remaining();
    byte[] payloads = new byte[length];
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(block, head, block.length - head);
      if (inflater.inflate(payloads) != length) {
        throw new RecordingException("a block is shorter than it says");
      }
    } catch (DataFormatException e) {
      throw new RecordingException("a block that cannot be inflated", e);
    } finally {
      inflater.end();
    }
    return split(payloads, length);
  }

  /** Payloads that lie one after the other, each behind its length. */
  static List<ByteSource> split(byte[] payloads, int length) throws RecordingException {
    List<ByteSource> parts = new ArrayList<>();
    ByteSource source = new ByteSource(payloads, 0, length);
    while (!source.isAtEnd()) {
      parts.add(source.takeSource(source.takeCount()));
    }
    return parts;
  }
}
