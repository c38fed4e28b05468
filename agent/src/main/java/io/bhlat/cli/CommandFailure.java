// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

/** Ends a command with a message for its user and an exit code, without a stack trace. */
final class CommandFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  CommandFailure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The message. */
  String text() {
    return String.valueOf(getMessage());
  }

  int exitCode() {
    return exitCode;
  }
}
