// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The body of an answer, in pieces of at most {@link #CHUNK_BYTES}: nothing large is ever copied to
 * grow, and what the JDK copies to write a piece stays small. Immutable; any number of connections
 * may write one at the same time.
 */
public final class Bytes {

  static final int CHUNK_BYTES = 16 * 1024;

  /** No bytes. */
  public static final Bytes NONE = new Bytes(List.of(), 0);

  private final List<byte[]> chunks;
  private final int length;

  /** Keeps its arguments: {@link BytesOutput} gives them away. */
  Bytes(List<byte[]> chunks, int length) {
    this.chunks = chunks;
    this.length = length;
  }

  /** A text in UTF-8. */
  public static Bytes of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A copy of these bytes. */
  public static Bytes of(byte[] bytes) {
    BytesOutput output = new BytesOutput(Integer.MAX_VALUE);
    try {
      output.write(bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new IllegalStateException("an array is larger than an array can be", e);
    }
    return output.toBytes();
  }

  /** How many there are. */
  public int length() {
    return length;
  }

  /** Writes them all. */
  public void writeTo(OutputStream out) throws IOException {
    for (int i = 0; i < chunks.size(); i++) {
      out.write(chunks.get(i), 0, chunk(i).remaining());
    }
  }

  /** All in one array. */
  public byte[] toArray() {
    byte[] all = new byte[length];
    for (int i = 0; i < chunks.size(); i++) {
      ByteBuffer chunk = chunk(i);
      chunk.get(all, i * CHUNK_BYTES, chunk.remaining());
    }
    return all;
  }

  int chunkCount() {
    return chunks.size();
  }

  /** One piece, with a position of its own; its bytes are not to be changed. */
  ByteBuffer chunk(int index) {
    int from = index * CHUNK_BYTES;
    return ByteBuffer.wrap(chunks.get(index), 0, Math.min(CHUNK_BYTES, length - from));
  }

  @Override
  public String toString() {
    return length + " bytes in " + chunks.size() + " chunks of " + Arrays.toString(sizes());
  }

  private int[] sizes() {
    return chunks.stream().mapToInt(chunk -> chunk.length).toArray();
  }
}
