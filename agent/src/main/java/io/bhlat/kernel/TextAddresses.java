// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Arrays;

/**
 * The code symbols of a table in the order of their addresses. Of several symbols at one address
 * the first of the table is meant, as in the kernel's own messages.
 */
final class TextAddresses {
  /** Addresses with the top bit flipped, so that signed order is unsigned order; no duplicates. */
  private final long[] sorted;

  private final int[] symbols;

  TextAddresses(SymbolTable table) {
    long[] flipped = new long[table.count()];
    int count = 0;
    for (int symbol = 0; symbol < table.count(); symbol++) {
      if (table.isText(symbol)) {
        flipped[count++] = table.address(symbol) ^ Long.MIN_VALUE;
      }
    }
    // Nearly sorted already: the kernel lists its own symbols by address, then each module's.
    Arrays.sort(flipped, 0, count);
    sorted = Arrays.copyOf(flipped, distinct(flipped, count));
    symbols = new int[sorted.length];
    Arrays.fill(symbols, -1);
    for (int symbol = 0; symbol < table.count(); symbol++) {
      if (table.isText(symbol)) {
        int at = Arrays.binarySearch(sorted, table.address(symbol) ^ Long.MIN_VALUE);
        if (symbols[at] < 0) {
          symbols[at] = symbol;
        }
      }
    }
  }

  /** The last symbol that begins there or before; -1 if all begin behind. */
  int atOrBefore(long address) {
    int found = Arrays.binarySearch(sorted, address ^ Long.MIN_VALUE);
    int index = found < 0 ? -found - 2 : found;
    return index < 0 ? -1 : symbols[index];
  }

  private static int distinct(long[] values, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || values[i] != values[kept - 1]) {
        values[kept++] = values[i];
      }
    }
    return kept;
  }
}
