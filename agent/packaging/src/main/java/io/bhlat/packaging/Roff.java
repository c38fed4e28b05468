// SPDX-License-Identifier: Apache-2.0
package io.bhlat.packaging;

import java.util.regex.Pattern;

/** Text in the language of manual pages, man(7). */
final class Roff {

  private static final Pattern NOT_ASCII = Pattern.compile("[^\\x00-\\x7f]");

  private static final int LINE_LENGTH = 76;

  private Roff() {}

  /** Running text: words that roff takes literally and fills, in lines that its checkers like. */
  static String text(String text) {
    StringBuilder roff = new StringBuilder();
    int column = 0;
    for (String word : text.strip().split("\\s+", -1)) {
      String escaped = inline(word);
      if (column > 0 && column + 1 + escaped.length() > LINE_LENGTH) {
        roff.append('\n');
        column = 0;
      }
      if (column > 0) {
        roff.append(' ');
        column++;
      } else if (escaped.startsWith(".")) {
        roff.append("\\&"); // else it would be a request
      }
      roff.append(escaped);
      column += escaped.length();
    }
    return roff.append('\n').toString();
  }

  /** Part of a line. A hyphen is a minus: options must be found and copied as they are typed. */
  static String inline(String text) {
    String ascii =
        text.replace("\\", "\\e")
            .replace("-", "\\-")
            .replace("'", "\\(aq")
            .replace("`", "\\(ga")
            .replace("^", "\\(ha")
            .replace("~", "\\(ti")
            .replace("\"", "\\(dq");
    return NOT_ASCII
        .matcher(ascii)
        .replaceAll(match -> "\\\\[u" + String.format("%04X", match.group().codePointAt(0)) + "]");
  }

  static String bold(String text) {
    return "\\fB" + inline(text) + "\\fR";
  }

  static String italic(String text) {
    return "\\fI" + inline(text) + "\\fR";
  }
}
