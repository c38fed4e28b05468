// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations such as {@code 500ms}, {@code 10s}, {@code 5m} and {@code 2h}. */
final class DurationConverter implements ITypeConverter<Duration> {

  private static final Pattern FORM = Pattern.compile("(\\d{1,15})(ms|s|m|h)");

  /** Far below what 64 bits of nanoseconds can count. */
  private static final Duration LONGEST = Duration.ofDays(365);

  @Override
  public Duration convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new TypeConversionException(
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
      throw new TypeConversionException("a duration must be longer than 0: '" + text + "'");
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw new TypeConversionException(
          "a duration is at most a year (" + LONGEST.toHours() + "h): '" + text + "'");
    }
    return duration;
  }
}
