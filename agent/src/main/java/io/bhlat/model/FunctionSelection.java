// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Chooses which functions are shown by themselves; the rest becomes "other". */
public final class FunctionSelection {

  private FunctionSelection() {}

  /** The functions that ran most often, at most {@code limit} of them, "other" not among them. */
  public static Set<FunctionKey> busiest(Map<FunctionKey, FunctionCounts> functions, int limit) {
    return functions.entrySet().stream()
        .filter(entry -> !entry.getKey().isOther())
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<FunctionKey, FunctionCounts> entry) ->
                        -entry.getValue().queueLatency().count())
                .thenComparing(Map.Entry::getKey))
        .limit(limit)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The same counts with every function that is not in {@code kept} added to its class's "other".
   */
  public static NavigableMap<FunctionKey, FunctionCounts> keep(
      Map<FunctionKey, FunctionCounts> functions, Collection<FunctionKey> kept) {
    NavigableMap<FunctionKey, FunctionCounts> selected = new TreeMap<>();
    functions.forEach(
        (key, counts) ->
            selected.merge(
                kept.contains(key) ? key : FunctionKey.other(key.workClass()),
                counts,
                FunctionCounts::plus));
    return selected;
  }

  /** The order for display: busiest first, "other" last. */
  public static List<FunctionKey> inDisplayOrder(Map<FunctionKey, FunctionCounts> functions) {
    return functions.entrySet().stream()
        .sorted(
            Comparator.comparing(
                    (Map.Entry<FunctionKey, FunctionCounts> entry) -> entry.getKey().isOther())
                .thenComparingLong(entry -> -entry.getValue().queueLatency().count())
                .thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .toList();
  }
}
