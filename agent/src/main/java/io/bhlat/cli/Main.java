// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

/** Entry point of the bhlat command line. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(0);
  }
}
