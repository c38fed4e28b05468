// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes BTF blobs; the ids of types count from 1 in the order of the calls. */
final class BtfBuilder {
  record Field(String name, int type, int offsetBits) {
    static Field field(String name, int type, int offsetBytes) {
      return new Field(name, type, offsetBytes * 8);
    }

    /** For structs with the flag. */
    static Field bitfield(String name, int type, int offsetBits, int sizeBits) {
      return new Field(name, type, sizeBits << 24 | offsetBits);
    }
  }

  private final ByteOrder order;
  private final ByteArrayOutputStream strings = new ByteArrayOutputStream();
  private final List<Integer> words = new ArrayList<>();
  private byte[] layout = {};
  private int types;

  BtfBuilder(ByteOrder order) {
    this.order = order;
    strings.write(0);
  }

  BtfBuilder() {
    this(ByteOrder.LITTLE_ENDIAN);
  }

  int integer(String name, int sizeBytes) {
    return type(name, 1, 0, false, sizeBytes, sizeBytes * 8);
  }

  /** An integer type as used for bitfields before structs had the flag. */
  int oldBitfieldInteger(int sizeBytes, int offsetBits, int bits) {
    return type("", 1, 0, false, sizeBytes, offsetBits << 16 | bits);
  }

  int pointer(int target) {
    return type("", 2, 0, false, target);
  }

  int array(int element, int length) {
    return type("", 3, 0, false, 0, element, element, length);
  }

  int struct(String name, int sizeBytes, Field... fields) {
    return composite(4, name, false, sizeBytes, fields);
  }

  int structWithBitfields(String name, int sizeBytes, Field... fields) {
    return composite(4, name, true, sizeBytes, fields);
  }

  int union(String name, int sizeBytes, Field... fields) {
    return composite(5, name, false, sizeBytes, fields);
  }

  int enum64(String name) {
    return type(name, 19, 2, false, 8, string("ONE"), 1, 0, string("TWO"), 2, 0);
  }

  /** Any kind that refers to another type and adds nothing: typedef, const, function … */
  int reference(int kind, String name, int target) {
    return type(name, kind, 0, false, target);
  }

  int functionType(int result, int... parameters) {
    int[] added = new int[parameters.length * 2];
    for (int i = 0; i < parameters.length; i++) {
      added[2 * i + 1] = parameters[i];
    }
    return type("", 13, parameters.length, false, result, added);
  }

  /** A type of any kind with any words behind it. */
  int type(String name, int kind, int elements, boolean flag, int sizeOrType, int... added) {
    words.add(string(name));
    words.add((flag ? 1 << 31 : 0) | kind << 24 | elements);
    words.add(sizeOrType);
    for (int word : added) {
      words.add(word);
    }
    return ++types;
  }

  /** The layout section: for each kind from 0 the bytes added once and for each element. */
  BtfBuilder layout(byte[] onceAndEachByKind) {
    layout = new byte[onceAndEachByKind.length * 2];
    for (int kind = 0; kind < onceAndEachByKind.length / 2; kind++) {
      layout[4 * kind] = onceAndEachByKind[2 * kind];
      layout[4 * kind + 1] = onceAndEachByKind[2 * kind + 1];
    }
    return this;
  }

  byte[] build() {
    int headerBytes = layout.length > 0 ? 32 : 24;
    int typeBytes = words.size() * 4;
    ByteBuffer blob =
        ByteBuffer.allocate(headerBytes + typeBytes + strings.size() + layout.length).order(order);
    blob.putShort((short) 0xeb9f).put((byte) 1).put((byte) 0).putInt(headerBytes);
    blob.putInt(0).putInt(typeBytes).putInt(typeBytes).putInt(strings.size());
    if (layout.length > 0) {
      blob.putInt(typeBytes + strings.size()).putInt(layout.length);
    }
    words.forEach(blob::putInt);
    blob.put(strings.toByteArray()).put(layout);
    return blob.array();
  }

  Btf parse() {
    return Btf.parse(build());
  }

  private int composite(int kind, String name, boolean flag, int sizeBytes, Field... fields) {
    int[] added = new int[fields.length * 3];
    for (int i = 0; i < fields.length; i++) {
      added[3 * i] = string(fields[i].name());
      added[3 * i + 1] = fields[i].type();
      added[3 * i + 2] = fields[i].offsetBits();
    }
    return type(name, kind, fields.length, flag, sizeBytes, added);
  }

  private int string(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    int offset = strings.size();
    strings.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    strings.write(0);
    return offset;
  }
}
