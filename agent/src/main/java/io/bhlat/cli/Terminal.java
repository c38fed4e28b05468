// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.terminal.Units;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;

/**
 * Where a command prints. The launcher says by system properties what Java cannot find out: whether
 * stderr is a terminal, and how wide stdout is.
 *
 * @param sink where {@code out} ends, which knows why it could not be written
 * @param out standard output
 * @param err standard error
 * @param errIsTerminal whether progress can be shown there
 * @param columns width of the output
 * @param charset of the locale
 * @param units how numbers are written, by the locale's character set
 */
record Terminal(
    StandardOutput sink,
    PrintStream out,
    PrintStream err,
    boolean errIsTerminal,
    int columns,
    Charset charset,
    Units units) {

  private static final int DEFAULT_COLUMNS = 100;

  /** The terminal, pipe or file that this process was started with. */
  static Terminal ofProcess() {
    Charset charset = localeCharset();
    StandardOutput sink = new StandardOutput();
    return new Terminal(
        sink,
        new PrintStream(sink, false, charset),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, charset),
        Boolean.getBoolean("bhlat.stderr.terminal"),
        Integer.getInteger("bhlat.columns", DEFAULT_COLUMNS),
        charset,
        Units.forCharset(charset));
  }

  private static Charset localeCharset() {
    String name = System.getProperty("native.encoding", "");
    return !name.isEmpty() && Charset.isSupported(name)
        ? Charset.forName(name)
        : StandardCharsets.US_ASCII;
  }

  /**
   * Prints a text.
   *
   * @return false if it cannot be written, mostly because nobody reads any more ({@code | head}):
   *     there is no use in going on
   */
  boolean print(String text) {
    out.print(text);
    return !out.checkError();
  }

  /** Prints bytes that have their own encoding. */
  boolean print(byte[] bytes) {
    out.write(bytes, 0, bytes.length);
    return !out.checkError();
  }

  /** The exit code of a command that ended with this one: output that was lost is a failure. */
  int exitCode(int code) {
    out.flush();
    return sink.failure()
        .map(
            failure -> {
              complain(failure);
              return ExitCode.CANNOT;
            })
        .orElse(code);
  }

  /** Prints a message on standard error: something failed. */
  void complain(String message) {
    err.println(LogLines.ofProcess().line(Level.SEVERE, message));
  }

  /** Prints a message on standard error that is no complaint. */
  void say(String message) {
    err.println(LogLines.ofProcess().line(Level.INFO, message));
  }
}
