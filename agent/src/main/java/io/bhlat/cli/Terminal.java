// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.terminal.Units;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Where a command prints. The launcher says by system properties what Java cannot find out: whether
 * stderr is a terminal, and how wide stdout is.
 *
 * @param out standard output, buffered; flush it
 * @param err standard error
 * @param errIsTerminal whether progress can be shown there
 * @param columns width of the output
 * @param charset of the locale
 * @param units how numbers are written, by the locale's character set
 */
record Terminal(
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
    return new Terminal(
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, charset),
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
   * @return false if nobody reads any more ({@code | head}): there is no use in going on
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

  /** Prints a message on standard error. */
  void complain(String message) {
    err.println("bhlat: " + message);
  }
}
