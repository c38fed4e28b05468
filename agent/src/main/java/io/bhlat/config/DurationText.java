// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations such as {@code 500ms}, {@code 10s}, {@code 5m} and {@code 2h}. */
public final class DurationText {

  private static final Pattern FORM = Pattern.compile("(\\d{1,15})(ms|s|m|h)");

  /** Far below what 64 bits of nanoseconds can count. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private DurationText() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none, 0 or longer than a year; the message says what
   *     is expected
   */
  public static Duration parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration: a whole number and a unit, as in 500ms, 10s, 5m, 2h");
    }
    long number = Long.parseLong(form.group(1));
    Duration duration =
        switch (form.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          default -> Duration.ofHours(number);
        };
    if (duration.isZero()) {
      throw new IllegalArgumentException("a duration must be longer than 0: '" + text + "'");
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a duration is at most a year (" + LONGEST.toHours() + "h): '" + text + "'");
    }
    return duration;
  }

  /** As it is parsed, in the largest unit that gives a whole number. */
  public static String of(Duration duration) {
    long ms = duration.toMillis();
    if (ms % 3_600_000 == 0) {
      return ms / 3_600_000 + "h";
    }
    if (ms % 60_000 == 0) {
      return ms / 60_000 + "m";
    }
    return ms % 1_000 == 0 ? ms / 1_000 + "s" : ms + "ms";
  }
}
