// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static java.util.stream.Collectors.toSet;

import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkKey;
import io.bhlat.trace.MapSizes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads the counts by function, with names for addresses. Not thread-safe.
 *
 * <p>An index that has been given to a function stays its own, so that names are looked up once.
 */
final class FunctionReader {

  private final BccMap functions;
  private final FunctionCountsReader counts;
  private final Function<Set<Long>, Map<Long, String>> namesOf;
  private final Map<Integer, FunctionKey> keys = new HashMap<>();

  /**
   * Reads these maps.
   *
   * @param namesOf the names of functions by their addresses; called for each function once
   */
  FunctionReader(
      BccMap functions,
      MappedMemory counts,
      MapSizes sizes,
      Function<Set<Long>, Map<Long, String>> namesOf) {
    this.functions = functions;
    this.counts = new FunctionCountsReader(counts, sizes);
    this.namesOf = namesOf;
    for (WorkClass workClass : WorkClass.values()) {
      if (workClass.hasFunctions()) {
        keys.put(CountsLayout.otherIndex(workClass), FunctionKey.other(workClass));
      }
    }
  }

  /** Offers the indexes that are not "other" to the kernel. Once, before anything is attached. */
  static void offerIndexes(BccMap freeIndexes, MapSizes sizes) throws BpfException {
    for (int index = CountsLayout.otherIndexes(); index < sizes.functionIndexes(); index++) {
      freeIndexes.push(index);
    }
  }

  /**
   * Looks for functions that ran for the first time, and for their names. That takes system calls
   * and, where there are some, the reading of all symbols.
   */
  private void findNew() throws BpfException {
    List<BccMap.Entry> unnamed =
        functions.entries().stream().filter(entry -> !keys.containsKey(index(entry))).toList();
    if (!unnamed.isEmpty()) {
      Set<Long> addresses = unnamed.stream().map(FunctionReader::address).collect(toSet());
      Map<Long, String> names = namesOf.apply(addresses);
      unnamed.forEach(entry -> keys.put(index(entry), keyOf(entry, names)));
    }
  }

  /**
   * The counts of every function that was found. Functions of the same name and workqueue name,
   * such as those of several mounts, are summed.
   *
   * @param newOnesToo whether to look for new ones first
   */
  NavigableMap<FunctionKey, FunctionCounts> read(boolean newOnesToo) throws BpfException {
    if (newOnesToo) {
      findNew();
    }
    NavigableMap<FunctionKey, FunctionCounts> read = new TreeMap<>();
    keys.forEach(
        (index, key) -> {
          FunctionCounts of = counts.at(index);
          if (!of.equals(FunctionCounts.NONE)) {
            read.merge(key, of, FunctionCounts::plus);
          }
        });
    return read;
  }

  private static int index(BccMap.Entry entry) {
    return entry.value().getInt(0);
  }

  private static long address(BccMap.Entry entry) {
    return entry.key().getLong(0);
  }

  private static FunctionKey keyOf(BccMap.Entry entry, Map<Long, String> names) {
    WorkClass workClass = WorkKey.ALL.get(entry.value().getInt(Integer.BYTES)).workClass();
    String workqueue = text(entry.value(), CountsLayout.FUNCTION_WORKQUEUE_OFFSET);
    return new FunctionKey(
        workClass,
        String.valueOf(names.get(address(entry))),
        workqueue.isEmpty() ? Optional.empty() : Optional.of(workqueue));
  }

  private static String text(ByteBuffer bytes, int offset) {
    int end = offset;
    while (end < bytes.capacity() && bytes.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end - offset];
    bytes.get(offset, text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
