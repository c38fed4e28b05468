// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

/**
 * A configuration file that cannot be used. The message names the file, where known the line and
 * column, what is wrong and what is expected.
 */
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** A mistake with nothing behind it. */
  public ConfigException(String message) {
    super(message);
  }

  /** A mistake that something else reported. */
  public ConfigException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The message, which is always there. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
