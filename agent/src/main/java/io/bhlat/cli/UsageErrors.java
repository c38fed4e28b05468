// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what is wrong with a command line in a few lines, the first of which names it: the whole
 * help would push it off the screen.
 */
final class UsageErrors implements IParameterExceptionHandler {

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    if (arguments.length == 0) {
      command.usage(err);
      return ExitCode.USAGE;
    }
    err.println("bhlat: " + message(e));
    UnmatchedArgumentException.printSuggestions(e, err);
    err.print(command.getHelp().fullSynopsis());
    err.println("`" + command.getCommandSpec().qualifiedName() + " --help` says more.");
    err.flush();
    return ExitCode.USAGE;
  }

  private static String message(ParameterException e) {
    CommandLine command = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()
        && !command.getSubcommands().isEmpty()) {
      return "'%s' is no command: %s"
          .formatted(
              unmatched.getUnmatched().get(0),
              String.join(", ", command.getSubcommands().keySet()));
    }
    return String.valueOf(e.getMessage());
  }
}
