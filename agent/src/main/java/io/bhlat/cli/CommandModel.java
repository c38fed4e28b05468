// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import picocli.CommandLine;

/** The commands and their options as values, for what is made of them when bhlat is packaged. */
public final class CommandModel {

  private CommandModel() {}

  /**
   * The command line with all commands; nothing of it should be executed. Installs a shutdown hook
   * that does nothing then.
   */
  public static CommandLine commandLine() {
    StopSignal unused = StopSignal.install();
    unused.finished(ExitCode.OK);
    return Main.commandLine(Terminal.ofProcess(), unused);
  }
}
