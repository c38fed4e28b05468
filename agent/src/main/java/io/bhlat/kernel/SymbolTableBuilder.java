// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Takes the text of /proc/kallsyms apart as it arrives, in chunks that may end anywhere. */
final class SymbolTableBuilder {
  /** One byte a character: the names are ASCII, and others must not change their length. */
  static final Charset CHARSET = StandardCharsets.ISO_8859_1;

  long[] addresses = new long[1 << 12];
  byte[] types = new byte[1 << 12];
  int[] hashes = new int[1 << 12];
  int[] ends = new int[1 << 12];
  byte[] text = new byte[1 << 16];
  int count;

  private enum Part {
    ADDRESS,
    TYPE,
    SPACE,
    NAME
  }

  private Part part = Part.ADDRESS;
  private int textLength;
  private int nameStart;
  private int digits;
  private long address;
  private byte type;
  private int hash;
  private boolean isHashing;

  void append(byte[] chunk, int length) throws IOException {
    if (text.length < textLength + length) {
      text = Arrays.copyOf(text, Math.max(textLength + length, text.length + text.length / 2));
    }
    for (int i = 0; i < length; i++) {
      byte c = chunk[i];
      if (part == Part.NAME) {
        appendToName(c);
      } else {
        appendBeforeName(c);
      }
    }
  }

  /** The last line ends with a newline like all others; a half one means the reading broke off. */
  void finish() throws IOException {
    if (part != Part.ADDRESS || digits > 0) {
      throw wrongLine();
    }
  }

  private void appendToName(byte c) throws IOException {
    if (c == '\n') {
      endLine();
      return;
    }
    text[textLength] = c;
    // Up to a dot that is not the first character, as SymbolTable.hash() does.
    isHashing = isHashing && c != '\t' && !(c == '.' && textLength > nameStart);
    if (isHashing) {
      hash = 31 * hash + c;
    }
    textLength++;
  }

  private void appendBeforeName(byte c) throws IOException {
    switch (part) {
      case ADDRESS -> {
        int digit = Character.digit(c, 16);
        if (digit >= 0 && digits < 16) {
          address = address << 4 | digit;
          digits++;
        } else if (c == ' ' && digits > 0) {
          part = Part.TYPE;
        } else {
          throw wrongLine();
        }
      }
      case TYPE -> {
        type = c;
        part = Part.SPACE;
      }
      default -> {
        if (c != ' ') {
          throw wrongLine();
        }
        part = Part.NAME;
        isHashing = true;
      }
    }
  }

  private void endLine() throws IOException {
    if (textLength == nameStart) {
      throw wrongLine();
    }
    if (count == addresses.length) {
      int larger = count + count / 2;
      addresses = Arrays.copyOf(addresses, larger);
      types = Arrays.copyOf(types, larger);
      hashes = Arrays.copyOf(hashes, larger);
      ends = Arrays.copyOf(ends, larger);
    }
    addresses[count] = address;
    types[count] = type;
    hashes[count] = hash;
    ends[count] = textLength;
    count++;
    nameStart = textLength;
    address = 0;
    digits = 0;
    hash = 0;
    part = Part.ADDRESS;
  }

  private IOException wrongLine() {
    return new IOException("line " + (count + 1) + " is not \"address type name\"");
  }
}
