// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where the sections of a BTF blob lie. Source: include/uapi/linux/btf.h.
 *
 * <pre>
 *   0  u16 magic 0xeb9f      2  u8 version      3  u8 flags       4  u32 bytes of this header
 *   8  u32 types offset     12  u32 length     16  u32 strings offset   20  u32 length
 *  24  u32 layout offset    28  u32 length     only if the header has 32 bytes
 * </pre>
 *
 * Offsets count from the end of the header; the byte order is that of the magic.
 *
 * @param bytes the whole blob in its byte order; read by absolute positions only
 */
record BtfSections(ByteBuffer bytes, Span types, Span strings, Span layout) {

  /** Positions in the blob, the end excluded. */
  record Span(int start, int end) {}

  private static final int MAGIC = 0xeb9f;
  private static final int HEADER_BYTES = 24;
  private static final int HEADER_WITH_LAYOUT_BYTES = 32;

  static BtfSections of(byte[] blob) {
    if (blob.length < HEADER_BYTES) {
      throw new BtfFormatException(
          "truncated: " + blob.length + " bytes, but the header alone has " + HEADER_BYTES);
    }
    ByteBuffer bytes = ByteBuffer.wrap(blob).order(order(blob));
    int headerBytes = bytes.getInt(4);
    if (blob[2] != 1) {
      throw new BtfFormatException("version " + blob[2] + " is not supported, only version 1 is");
    }
    if (headerBytes < HEADER_BYTES || headerBytes > blob.length) {
      throw new BtfFormatException("header length " + headerBytes + " is impossible");
    }
    Span strings = span(bytes, headerBytes, 16, "string");
    if (strings.start() == strings.end()
        || blob[strings.start()] != 0
        || blob[strings.end() - 1] != 0) {
      throw new BtfFormatException("the string section must begin and end with a zero byte");
    }
    Span layout =
        headerBytes < HEADER_WITH_LAYOUT_BYTES
            ? new Span(0, 0)
            : span(bytes, headerBytes, 24, "layout");
    return new BtfSections(bytes, span(bytes, headerBytes, 8, "type"), strings, layout);
  }

  private static ByteOrder order(byte[] blob) {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
      if ((ByteBuffer.wrap(blob).order(order).getShort(0) & 0xffff) == MAGIC) {
        return order;
      }
    }
    throw new BtfFormatException(
        String.format(
            "bad magic: bytes %02x %02x, expected eb9f in either order", blob[0], blob[1]));
  }

  private static Span span(ByteBuffer bytes, int headerBytes, int field, String name) {
    long start = headerBytes + (bytes.getInt(field) & 0xffffffffL);
    long end = start + (bytes.getInt(field + 4) & 0xffffffffL);
    if (end > bytes.capacity()) {
      throw new BtfFormatException(
          "truncated: the " + name + " section ends at " + end + " of " + bytes.capacity());
    }
    return new Span((int) start, (int) end);
  }
}
