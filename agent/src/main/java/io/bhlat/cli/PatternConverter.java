// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads regular expressions; says on one line what is wrong with one. */
final class PatternConverter implements ITypeConverter<Pattern> {

  @Override
  public Pattern convert(String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is not a regular expression of java.util.regex: "
              + e.getDescription()
              + (e.getIndex() < 0 ? "" : " at character " + (e.getIndex() + 1)));
    }
  }
}
