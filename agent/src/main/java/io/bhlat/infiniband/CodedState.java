// SPDX-License-Identifier: Apache-2.0
package io.bhlat.infiniband;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A state that sysfs writes with its number: "4: ACTIVE".
 *
 * @param code the number of the InfiniBand specification
 * @param name the kernel's word for it, "ACTIVE"
 */
public record CodedState(int code, String name) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\s*:\\s*(.*)");

  /** Empty if the text has another form. */
  static Optional<CodedState> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(new CodedState(Integer.parseInt(matcher.group(1)), matcher.group(2)))
        : Optional.empty();
  }
}
