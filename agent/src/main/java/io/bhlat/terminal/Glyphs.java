// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

/** The characters that differ between a UTF-8 and an ASCII terminal. */
enum Glyphs {
  UTF8("µs", "≤", "→", "·", "…", "–", "−", "⋮", "▏▎▍▌▋▊▉█", "▁▂▃▄▅▆▇█"),
  ASCII("us", "<=", "->", "-", "~", "-", "-", ":", "@", ".:-=+*#@");

  private final String microseconds;
  private final String atMost;
  private final String arrow;
  private final String separator;
  private final String ellipsis;
  private final String none;
  private final String minus;
  private final String skipped;
  private final String barEighths;
  private final String levels;

  Glyphs(
      String microseconds,
      String atMost,
      String arrow,
      String separator,
      String ellipsis,
      String none,
      String minus,
      String skipped,
      String barEighths,
      String levels) {
    this.microseconds = microseconds;
    this.atMost = atMost;
    this.arrow = arrow;
    this.separator = separator;
    this.ellipsis = ellipsis;
    this.none = none;
    this.minus = minus;
    this.skipped = skipped;
    this.barEighths = barEighths;
    this.levels = levels;
  }

  String microseconds() {
    return microseconds;
  }

  String atMost() {
    return atMost;
  }

  String arrow() {
    return arrow;
  }

  /** Between the parts of one line. */
  String separator() {
    return separator;
  }

  /** Stands for what was cut out of a name; one character. */
  String ellipsis() {
    return ellipsis;
  }

  /** Stands in a table where there is no value. */
  String none() {
    return none;
  }

  String minus() {
    return minus;
  }

  /** Stands for rows that counted nothing and were made one. */
  String skipped() {
    return skipped;
  }

  /**
   * A horizontal bar. Anything above 0 leaves a mark, so that a lone outlier is seen.
   *
   * @param share of the full width, 0 to 1
   * @param width of the full bar in characters
   */
  String bar(double share, int width) {
    if (share <= 0) {
      return "";
    }
    int parts = barEighths.length();
    long filled = Math.min((long) width * parts, Math.round(share * width * parts));
    if (filled == 0) {
      return this == ASCII ? "." : barEighths.substring(0, 1);
    }
    String bar = barEighths.substring(parts - 1).repeat((int) (filled / parts));
    int rest = (int) (filled % parts);
    return rest == 0 ? bar : bar + barEighths.charAt(rest - 1);
  }

  /** One character of a distribution drawn in one line: the higher the share, the taller. */
  char level(double share) {
    if (share <= 0) {
      return ' ';
    }
    int level = (int) Math.ceil(share * levels.length()) - 1;
    return levels.charAt(Math.max(0, Math.min(levels.length() - 1, level)));
  }

  /**
   * The text with every character replaced that this terminal might not show in one column:
   * everything but printable ASCII and, in UTF-8, Latin letters and the symbols used here. Names
   * come from the kernel and may hold any byte.
   */
  String printable(String text) {
    StringBuilder printable = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      boolean shown = c < 0x7f ? c >= ' ' : this == UTF8 && isNarrow(c);
      printable.append(shown ? c : '?');
    }
    return printable.toString();
  }

  private static boolean isNarrow(char c) {
    boolean latin = c > 0xa0 && c < 0x250 && c != 0xad;
    boolean dash = c >= 0x2010 && c < 0x2028;
    boolean arrowOrMathematical = c >= 0x2190 && c < 0x2300;
    boolean block = c >= 0x2580 && c < 0x25a0;
    return latin || dash || arrowOrMathematical || block;
  }
}
