// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.trace.bcc.BpfException;

/** The exit codes of every command; documented in --help and README.md. */
final class ExitCode {

  /** All that was asked for was done. */
  static final int OK = 0;

  /** It was measured, but a measurement was missing or bhlat's own limits lost samples. */
  static final int INCOMPLETE = 1;

  /** The command line, or a file of configuration, was wrong. */
  static final int USAGE = 2;

  /** A privilege is missing. */
  static final int NOT_PERMITTED = 3;

  /** The kernel, or a library on the host, cannot do it. */
  static final int CANNOT = 4;

  private ExitCode() {}

  static int of(BpfException e) {
    return e.kind() == BpfException.Kind.NOT_PERMITTED ? NOT_PERMITTED : CANNOT;
  }
}
