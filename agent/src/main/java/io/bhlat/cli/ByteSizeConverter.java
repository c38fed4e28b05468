// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes such as {@code 512k}, {@code 8m} and {@code 1g}; {@code off} and 0 are 0. */
final class ByteSizeConverter implements ITypeConverter<Long> {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})([kmg])");

  @Override
  public Long convert(String text) {
    if (text.equals("off") || text.equals("0")) {
      return 0L;
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a size: a whole number and a unit, as in 512k, 8m, 1g, or off");
    }
    long number = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "k" -> number << 10;
      case "m" -> number << 20;
      default -> number << 30;
    };
  }
}
