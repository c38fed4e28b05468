// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/**
 * One search for a struct member of a given name. Used once, by one thread.
 *
 * <pre>
 *   member  0 u32 name   4 u32 type   8 u32 offset in bits from the struct
 *           if the struct's flag is set: offset in bits 0-23, bitfield size in bits 24-31
 * </pre>
 */
final class BtfMemberSearch {
  private static final int MEMBER_BYTES = 12;

  /** The kernel's structs have some 700,000 members in all; more means nesting that multiplies. */
  private static final int MAX_VISITS = 10_000_000;

  private final BtfTypes types;
  private final byte[] name;
  private int visits;

  BtfMemberSearch(BtfTypes types, String name) {
    this.types = types;
    this.name = name.getBytes(UTF_8);
  }

  /** The member of the first struct or union so named that has it. */
  Optional<BtfMember> in(String struct) {
    byte[] structName = struct.getBytes(UTF_8);
    for (int id = 1; id < types.count(); id++) {
      if (types.isComposite(id) && types.isNamed(id, structName)) {
        Optional<BtfMember> found = inType(id, 0, 0);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<BtfMember> inType(int struct, int baseBits, int depth) {
    BtfTypes.checkDepth(depth);
    boolean hasBitfields = types.flag(struct);
    int elements = types.elements(struct);
    for (int member = 0; member < elements * MEMBER_BYTES; member += MEMBER_BYTES) {
      if (++visits > MAX_VISITS) {
        throw new BtfFormatException("anonymous structs are nested without end");
      }
      int type = types.word(struct, member + 4);
      int offset = types.word(struct, member + 8);
      int offsetBits = baseBits + (hasBitfields ? offset & 0xffffff : offset);
      int nameOffset = types.word(struct, member);
      if (nameOffset == 0) {
        Optional<BtfMember> found = inAnonymous(type, offsetBits, depth + 1);
        if (found.isPresent()) {
          return found;
        }
      } else if (types.isStringAt(nameOffset, name)) {
        return Optional.of(
            hasBitfields
                ? new BtfMember(type, offsetBits, offset >>> 24)
                : withOldBitfield(type, offsetBits));
      }
    }
    return Optional.empty();
  }

  /** C counts the members of an anonymous struct or union as those of the one around it. */
  private Optional<BtfMember> inAnonymous(int type, int offsetBits, int depth) {
    int nested = types.withoutModifiers(type);
    return nested != 0 && types.isComposite(nested)
        ? inType(nested, offsetBits, depth)
        : Optional.empty();
  }

  /**
   * Where the struct's flag is not set, a bitfield is an integer type with fewer bits than its
   * bytes hold. INT adds a word: bits 0-7 number of bits, 16-23 offset within the integer.
   */
  private BtfMember withOldBitfield(int type, int offsetBits) {
    int target = types.withoutModifiers(type);
    if (target == 0 || types.kind(target) != BtfTypes.INT) {
      return new BtfMember(type, offsetBits, 0);
    }
    int encoding = types.word(target, 0);
    int bits = encoding & 0xff;
    boolean isBitfield = bits != types.sizeOrType(target) * 8;
    return new BtfMember(type, offsetBits + (encoding >>> 16 & 0xff), isBitfield ? bits : 0);
  }
}
