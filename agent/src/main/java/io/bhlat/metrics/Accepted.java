// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client accepts, by its preference: the Prometheus client takes the first format that is
 * named anywhere in the header, whatever its weight.
 */
final class Accepted {

  private static final Pattern WEIGHT =
      Pattern.compile(";\\s*q\\s*=\\s*([01](?:\\.\\d{0,3})?)\\s*(?=;|$)");

  private Accepted() {}

  /** One entry of the header without its weight. */
  private record Entry(String text, double weight) {

    static Entry of(String text) {
      Matcher weight = WEIGHT.matcher(text.toLowerCase(Locale.ROOT));
      return weight.find()
          ? new Entry(
              text.substring(0, weight.start()) + text.substring(weight.end()),
              Double.parseDouble(weight.group(1)))
          : new Entry(text, 1);
    }
  }

  /**
   * The media types of an Accept header, the most wanted first and the refused ones left out.
   *
   * @param header its value
   */
  static List<String> mediaTypes(String header) {
    return Arrays.stream(header.split(",", -1))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .map(Entry::of)
        .filter(entry -> entry.weight() > 0)
        .sorted(Comparator.comparingDouble(entry -> -entry.weight()))
        .map(Entry::text)
        .toList();
  }

  /** Whether an Accept-Encoding header takes gzip. */
  static boolean gzip(Optional<String> header) {
    return header.isPresent()
        && mediaTypes(header.get()).stream()
            .anyMatch(coding -> coding.equalsIgnoreCase("gzip") || coding.equals("*"));
  }
}
