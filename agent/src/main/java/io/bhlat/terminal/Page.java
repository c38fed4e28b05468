// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import java.util.List;

/**
 * Lines of text that fit a terminal. Every line is cut to the width, rid of trailing blanks and of
 * characters that the terminal cannot show. Made, filled and read by one thread.
 */
final class Page {

  /** A blank at which {@link #wrapped} does not break. */
  static final char NO_BREAK = '\u00a0';

  private final int columns;
  private final Glyphs glyphs;
  private final StringBuilder text = new StringBuilder();

  Page(int columns, Glyphs glyphs) {
    this.columns = columns;
    this.glyphs = glyphs;
  }

  int columns() {
    return columns;
  }

  /** Adds a line; one that is too long loses its end. */
  void line(String line) {
    String printable = glyphs.printable(line.replace(NO_BREAK, ' '));
    String cut =
        printable.length() <= columns
            ? printable
            : printable.substring(0, columns - 1) + glyphs.ellipsis();
    text.append(cut.stripTrailing()).append('\n');
  }

  /** Adds lines as they are. */
  void lines(List<String> lines) {
    lines.forEach(this::line);
  }

  /** Adds an empty line, unless the page is empty. */
  void gap() {
    if (!text.isEmpty()) {
      text.append('\n');
    }
  }

  /** Adds text broken at blanks; all lines but the first begin with as many blanks as said. */
  void wrapped(String words, int indent) {
    StringBuilder line = new StringBuilder();
    for (String word : words.stripTrailing().split("(?<=\\S) ", -1)) {
      if (line.length() > indent && line.length() + 1 + word.length() > columns) {
        line(line.toString());
        line.setLength(0);
        line.append(" ".repeat(indent)).append(word);
      } else {
        line.append(line.isEmpty() ? "" : " ").append(word);
      }
    }
    line(line.toString());
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
