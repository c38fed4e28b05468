// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The types of a BTF blob by id, checked once for their bounds, without an object for any of them.
 *
 * <pre>
 *   0  u32 name, offset in the strings
 *   4  u32 info: bits 0-23 number of elements, 24-30 kind, 31 flag
 *   8  u32 size in bytes or id of another type, by kind; then what the kind adds
 * </pre>
 *
 * <p>Kernels whose BTF has no layout section use only bits 0-15 and 24-28 and keep the rest zero,
 * so the wider masks serve both. Kinds unknown here are stepped over if the layout section gives
 * their length.
 */
final class BtfTypes {
  static final int INT = 1;
  static final int PTR = 2;
  static final int ARRAY = 3;
  static final int STRUCT = 4;
  static final int UNION = 5;
  static final int ENUM = 6;
  static final int TYPEDEF = 8;
  static final int VOLATILE = 9;
  static final int CONST = 10;
  static final int RESTRICT = 11;
  static final int FUNC = 12;
  static final int FUNC_PROTO = 13;
  static final int FLOAT = 16;
  static final int TYPE_TAG = 18;
  static final int ENUM64 = 19;

  /** Bytes of a type before those that its kind adds. */
  static final int TYPE_BYTES = 12;

  private static final int MAX_DEPTH = 64;

  // What each kind adds: bytes once, and bytes for each element. Kind 0 does not occur.
  private static final int[] ONCE = {0, 4, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0};
  private static final int[] EACH = {
    0, 0, 0, 0, 12, 12, 8, 0, 0, 0, 0, 0, 0, 8, 0, 12, 0, 0, 0, 12
  };

  private final BtfSections sections;
  private final ByteBuffer bytes;
  private final int[] positions;

  /**
   * Finds where each type begins.
   *
   * @throws BtfFormatException if a type does not fit or its kind is unknown
   */
  BtfTypes(byte[] blob) {
    sections = BtfSections.of(blob);
    bytes = sections.bytes();
    int position = sections.types().start();
    int end = sections.types().end();
    // Types take 20 bytes on average; id 0 is void and has no bytes.
    int[] found = new int[(end - position) / 20 + 16];
    int count = 1;
    while (position < end) {
      if (count == found.length) {
        found = Arrays.copyOf(found, count + count / 2);
      }
      found[count] = position;
      long next = position + (long) TYPE_BYTES;
      if (next <= end) {
        next += addedBytes(count, bytes.getInt(position + 4));
      }
      if (next > end) {
        throw new BtfFormatException(
            "truncated: type " + count + " ends at " + next + ", its section at " + end);
      }
      position = (int) next;
      count++;
    }
    positions = Arrays.copyOf(found, count);
  }

  /** One more than the highest id; id 0 is void. */
  int count() {
    return positions.length;
  }

  /** Where the type begins in the blob. */
  int position(int id) {
    if (id <= 0 || id >= positions.length) {
      throw new BtfFormatException(
          "type id " + Integer.toUnsignedString(id) + " is out of range 1.." + (count() - 1));
    }
    return positions[id];
  }

  int kind(int id) {
    return kindOf(bytes.getInt(position(id) + 4));
  }

  int elements(int id) {
    return elementsOf(bytes.getInt(position(id) + 4));
  }

  boolean flag(int id) {
    return bytes.getInt(position(id) + 4) < 0;
  }

  /** The third word: a size or a type id, by kind. */
  int sizeOrType(int id) {
    return bytes.getInt(position(id) + 8);
  }

  /** The word at an offset behind the common part of the type. */
  int word(int id, int offset) {
    return bytes.getInt(position(id) + TYPE_BYTES + offset);
  }

  /** The type's name; empty for anonymous ones. */
  String name(int id) {
    int start = stringPosition(bytes.getInt(position(id)));
    int end = start;
    while (end < sections.strings().end() && bytes.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end - start];
    bytes.get(start, name);
    return new String(name, UTF_8);
  }

  boolean isNamed(int id, byte[] name) {
    return isStringAt(bytes.getInt(position(id)), name);
  }

  /** True if the string section holds exactly this text at the offset; compares in place. */
  boolean isStringAt(int offset, byte[] text) {
    int start = stringPosition(offset);
    if (start + text.length >= sections.strings().end()) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      if (bytes.get(start + i) != text[i]) {
        return false;
      }
    }
    return bytes.get(start + text.length) == 0;
  }

  boolean isComposite(int id) {
    int kind = kind(id);
    return kind == STRUCT || kind == UNION;
  }

  /** Follows typedefs and qualifiers; 0 is void. */
  int withoutModifiers(int type) {
    int target = type;
    for (int depth = 0; target != 0; depth++) {
      checkDepth(depth);
      switch (kind(target)) {
        case TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG -> target = sizeOrType(target);
        default -> {
          return target;
        }
      }
    }
    return 0;
  }

  /** C is never nested this deeply in practice; a longer chain is a circle. */
  static void checkDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw new BtfFormatException("types are nested in a circle");
    }
  }

  private int stringPosition(int offset) {
    int length = sections.strings().end() - sections.strings().start();
    if (Integer.compareUnsigned(offset, length) >= 0) {
      throw new BtfFormatException(
          "string offset " + Integer.toUnsignedString(offset) + " is out of range 0.." + length);
    }
    return sections.strings().start() + offset;
  }

  private long addedBytes(int id, int info) {
    int kind = kindOf(info);
    long elements = elementsOf(info);
    if (kind > 0 && kind < ONCE.length) {
      return ONCE[kind] + EACH[kind] * elements;
    }
    // struct btf_layout by kind: u8 bytes once, u8 bytes for each element, u16 flags.
    int layout = sections.layout().start() + 4 * kind;
    if (kind == 0 || layout + 4 > sections.layout().end()) {
      throw new BtfFormatException(
          "type " + id + " is of unknown kind " + kind + ", and its layout is not described");
    }
    return (bytes.get(layout) & 0xff) + (bytes.get(layout + 1) & 0xff) * elements;
  }

  private static int kindOf(int info) {
    return info >>> 24 & 0x7f;
  }

  private static int elementsOf(int info) {
    return info & 0xffffff;
  }
}
