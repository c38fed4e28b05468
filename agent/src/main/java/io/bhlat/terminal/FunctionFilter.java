// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.Counts;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Restricts counts to some functions. */
public final class FunctionFilter {

  private FunctionFilter() {}

  /**
   * The same counts with only those functions in whose name the pattern is found. "other" goes too,
   * unless the pattern is found in it: nobody knows what it holds. Counts by class stay as they
   * are.
   */
  public static Counts matching(Counts counts, Pattern pattern) {
    return counts.withFunctions(
        functions -> {
          var kept = new TreeMap<>(functions);
          kept.keySet().removeIf(key -> !pattern.matcher(key.function()).find());
          return kept;
        });
  }
}
