// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import java.nio.charset.Charset;
import java.util.Locale;

/** Numbers as people read them: three significant digits and a unit that fits. Immutable. */
public final class Units {

  private static final String[] SI = {"", "k", "M", "G", "T", "P", "E"};
  private static final double NS_PER_S = 1e9;
  private static final double S_PER_HOUR = 3600;
  private static final double S_PER_DAY = 86_400;
  private static final double S_PER_YEAR = 365.25 * S_PER_DAY;

  private final Glyphs glyphs;

  private Units(Glyphs glyphs) {
    this.glyphs = glyphs;
  }

  /** Units for an output in that encoding: ASCII unless it can encode what Unicode offers. */
  public static Units forCharset(Charset charset) {
    boolean unicode = charset.canEncode() && charset.newEncoder().canEncode("µ≤→…▏█▁");
    return new Units(unicode ? Glyphs.UTF8 : Glyphs.ASCII);
  }

  Glyphs glyphs() {
    return glyphs;
  }

  /** A measured duration: whole nanoseconds below 1 µs, {@code 1.91 µs}, {@code 2.00 s}. */
  public String duration(long ns) {
    return ns < 1000 ? ns + " ns" : approximateDuration((double) ns);
  }

  /** A computed duration, such as a mean: {@code 59.6 ns}, {@code 65.5 µs}, {@code 3.91 ms}. */
  public String approximateDuration(double ns) {
    String[] names = {"ns", glyphs.microseconds(), "ms"};
    double value = ns;
    for (String name : names) {
      String digits = threeDigits(value);
      if (!digits.isEmpty()) {
        return digits + " " + name;
      }
      value /= 1000;
    }
    return seconds(ns / NS_PER_S);
  }

  /** The bound of a bucket as an inequality: {@code ≤ 65.5 µs}, for overflow {@code > 64 s}. */
  public String bound(int cell) {
    return cell == LatencyBuckets.OVERFLOW_CELL
        ? bareBound(cell)
        : glyphs.atMost() + " " + bareBound(cell);
  }

  /** The same below a heading that says ≤: {@code 65.5 µs}, for overflow {@code > 64 s}. */
  String bareBound(int cell) {
    return cell == LatencyBuckets.OVERFLOW_CELL
        ? "> 64 s"
        : approximateDuration(upperBoundNs(cell));
  }

  /** The upper bound of a finite cell or of underflow, before it is cut to whole nanoseconds. */
  private static double upperBoundNs(int cell) {
    return LatencyBuckets.upperBoundSeconds(cell + LatencyBuckets.FIRST_INDEX - 1) * NS_PER_S;
  }

  /**
   * The maximum of a histogram: {@code 3.87 ms}, {@code ≤ 3.91 ms} where it was not measured, a
   * dash where nothing was counted.
   */
  public String maximum(LatencyHistogram histogram) {
    if (histogram.isEmpty()) {
      return glyphs.none();
    }
    if (histogram.maxExact()) {
      return duration(histogram.maxNs());
    }
    int cell = LatencyBuckets.cellOf(histogram.maxNs());
    return LatencyBuckets.upperBoundNs(cell) == histogram.maxNs()
        ? bound(cell)
        : glyphs.atMost() + " " + duration(histogram.maxNs());
  }

  /** The mean of a histogram, a dash where nothing was counted. */
  public String mean(LatencyHistogram histogram) {
    return histogram.isEmpty() ? glyphs.none() : approximateDuration(histogram.meanNs());
  }

  /** A quantile below a heading that says ≤, a dash where nothing was counted. */
  String bareQuantile(LatencyHistogram histogram, double quantile) {
    return histogram.isEmpty() ? glyphs.none() : bareBound(histogram.quantileCell(quantile));
  }

  /** A count in full: {@code 1,234,567}. */
  public String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A count in at most seven characters: {@code 123,456}, {@code 12.3 M}. */
  public String shortCount(long count) {
    return count < 1_000_000 ? count(count) : si((double) count);
  }

  /** A rate: {@code 4.10 /s}, {@code 12.3 k/s}. */
  public String rate(double perSecond) {
    String text = si(perSecond);
    return text.contains(" ") ? text + "/s" : text + " /s";
  }

  /** A share: {@code 12.3 %}, {@code 0.012 %}. 100 % means all, and 0 % none. */
  public String percent(double share) {
    double percent = share * 100;
    if (percent == 0) {
      return "0 %";
    }
    if (percent < 0.001) {
      return "<0.001 %";
    }
    if (percent < 0.1) {
      return String.format(Locale.ROOT, "%.3f %%", percent);
    }
    if (percent >= 100) {
      return String.format(Locale.ROOT, "%.0f %%", percent);
    }
    return String.format(Locale.ROOT, "%.1f %%", Math.min(percent, 99.9));
  }

  /** A share to a tenth of a percent, for columns: {@code 12.3 %}, {@code <0.1 %}. */
  String roundPercent(double share) {
    if (share > 0 && share < 0.001) {
      return "<0.1 %";
    }
    return share == 1 ? "100 %" : percent(Math.min(share, 0.999));
  }

  private String si(double value) {
    double scaled = value;
    for (String prefix : SI) {
      String digits = threeDigits(scaled);
      if (!digits.isEmpty()) {
        return prefix.isEmpty() ? digits : digits + " " + prefix;
      }
      scaled /= 1000;
    }
    return String.format(Locale.ROOT, "%.2e", value);
  }

  private static String seconds(double seconds) {
    String digits = threeDigits(seconds);
    if (!digits.isEmpty()) {
      return digits + " s";
    }
    if (seconds < 10_000) {
      return String.format(Locale.ROOT, "%,.0f s", seconds);
    }
    if (seconds < 100 * S_PER_HOUR) {
      return threeDigits(seconds / S_PER_HOUR) + " h";
    }
    return seconds < S_PER_YEAR
        ? threeDigits(seconds / S_PER_DAY) + " d"
        : threeDigits(seconds / S_PER_YEAR) + " y";
  }

  /** Three significant digits, or nothing where the value rounds to 1000 and needs a new unit. */
  private static String threeDigits(double value) {
    if (value == 0) {
      return "0";
    }
    if (value < 9.995) {
      return String.format(Locale.ROOT, value < 0.0995 ? "%.3f" : "%.2f", value);
    }
    if (value < 99.95) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return value < 999.5 ? String.format(Locale.ROOT, "%.0f", value) : "";
  }
}
