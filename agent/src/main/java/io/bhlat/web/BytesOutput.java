// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Collects {@link Bytes} up to a limit. One thread. */
public final class BytesOutput extends OutputStream {

  /** More was written than may be kept in memory. */
  public static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException(int maxBytes) {
      super("more than " + maxBytes + " bytes");
    }
  }

  private final List<byte[]> chunks = new ArrayList<>();
  private final int maxBytes;
  private int length;

  /**
   * Empty so far.
   *
   * @param maxBytes one more is a {@link TooLargeException}
   */
  public BytesOutput(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    if (count > maxBytes - length) {
      throw new TooLargeException(maxBytes);
    }
    int from = offset;
    int left = count;
    while (left > 0) {
      int used = length % Bytes.CHUNK_BYTES;
      if (used == 0) {
        chunks.add(new byte[Bytes.CHUNK_BYTES]);
      }
      int part = Math.min(left, Bytes.CHUNK_BYTES - used);
      System.arraycopy(bytes, from, chunks.get(chunks.size() - 1), used, part);
      length += part;
      from += part;
      left -= part;
    }
  }

  /** What was written; nothing may be written afterwards. */
  public Bytes toBytes() {
    return new Bytes(List.copyOf(chunks), length);
  }
}
