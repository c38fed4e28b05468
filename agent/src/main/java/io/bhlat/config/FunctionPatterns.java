// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Which functions may be told by name; the others count in "other".
 *
 * @param include a name must contain a match of one of these; where there are none, any name will
 *     do
 * @param exclude and of none of these
 */
public record FunctionPatterns(List<Pattern> include, List<Pattern> exclude) {

  /** Every function. */
  public static final FunctionPatterns ALL = new FunctionPatterns(List.of(), List.of());

  public FunctionPatterns {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /** Whether a function, as the kernel's symbol table names it, may be told by name. */
  public boolean select(String function) {
    return (include.isEmpty() || anyMatches(include, function)) && !anyMatches(exclude, function);
  }

  private static boolean anyMatches(List<Pattern> patterns, String function) {
    return patterns.stream().anyMatch(pattern -> pattern.matcher(function).find());
  }
}
