// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When the host booted. */
public final class BootTime {

  private static final String FILE = "/proc/stat";
  private static final Pattern LINE = Pattern.compile("^btime (\\d{1,18})$", Pattern.MULTILINE);

  private BootTime() {}

  /**
   * Seconds since 1970; it follows the clock, so that it differs a little between readings around a
   * step of it. Empty where procfs does not tell.
   *
   * @throws HostReadException if the file exists but cannot be read
   */
  public static OptionalLong seconds(HostFiles host) {
    Matcher line = LINE.matcher(host.text(FILE).orElse(""));
    return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
  }
}
