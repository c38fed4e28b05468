// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The lines of /proc/kallsyms in arrays: about 45 bytes a symbol with its name, and no object for
 * any. Immutable once read.
 *
 * <pre>
 *   ffffffffc0201000 t ftrace_trampoline\t[module]
 *   address, type and name are split by one space; the module is only there for modules
 * </pre>
 */
final class SymbolTable {
  private final long[] addresses;
  private final byte[] types;
  private final int[] hashes;

  /** Symbol i is text[ends[i - 1]] to text[ends[i]]: the name, and then "\t[module]" if any. */
  private final int[] ends;

  private final byte[] text;

  private SymbolTable(SymbolTableBuilder built) {
    int count = built.count;
    addresses = Arrays.copyOf(built.addresses, count);
    types = Arrays.copyOf(built.types, count);
    hashes = Arrays.copyOf(built.hashes, count);
    ends = Arrays.copyOf(built.ends, count);
    text = Arrays.copyOf(built.text, count == 0 ? 0 : ends[count - 1]);
  }

  /**
   * Reads all lines to the end.
   *
   * @throws IOException if reading fails or a line has another form
   */
  static SymbolTable read(InputStream in) throws IOException {
    SymbolTableBuilder builder = new SymbolTableBuilder();
    // The kernel hands out a page at a time, so a larger buffer gains nothing.
    byte[] chunk = new byte[1 << 16];
    for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
      builder.append(chunk, length);
    }
    builder.finish();
    return new SymbolTable(builder);
  }

  static SymbolTable empty() {
    return new SymbolTable(new SymbolTableBuilder());
  }

  int count() {
    return addresses.length;
  }

  long address(int symbol) {
    return addresses[symbol];
  }

  boolean isText(int symbol) {
    return KernelSymbol.isText(types[symbol]);
  }

  /** The first symbol from {@code from} whose name has this {@link #hash}; -1 if there is none. */
  int withHash(int hash, int from) {
    for (int symbol = from; symbol < hashes.length; symbol++) {
      if (hashes[symbol] == hash) {
        return symbol;
      }
    }
    return -1;
  }

  /** Hash of a name up to its first dot, so that it finds names with a compiler's suffix too. */
  static int hash(byte[] name) {
    int hash = 0;
    for (int i = 0; i < name.length && !(name[i] == '.' && i > 0); i++) {
      hash = 31 * hash + name[i];
    }
    return hash;
  }

  KernelSymbol symbol(int symbol, boolean isAddressKnown) {
    int start = symbol == 0 ? 0 : ends[symbol - 1];
    String line = new String(text, start, ends[symbol] - start, SymbolTableBuilder.CHARSET);
    int tab = line.indexOf('\t');
    Optional<String> module =
        tab < 0
            ? Optional.empty()
            : Optional.of(line.substring(tab + 1).strip().replaceAll("^\\[|\\]$", ""));
    return new KernelSymbol(
        tab < 0 ? line : line.substring(0, tab),
        module,
        isAddressKnown ? OptionalLong.of(addresses[symbol]) : OptionalLong.empty(),
        (char) types[symbol]);
  }
}
