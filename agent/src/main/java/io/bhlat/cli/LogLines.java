// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * How a message looks on standard error. Thread-safe.
 *
 * <p>To people and files it is {@code bhlat: WARNING: text}. To the journal, which knows the unit
 * and the time, it is the text alone, each line after its level as sd-daemon(3) wants it: {@code
 * <4>text}. Then {@code journalctl -p warning} finds it.
 */
final class LogLines extends Formatter {

  /** Set by systemd: device and inode of the stream that it connected to the journal. */
  private static final String JOURNAL_STREAM = "JOURNAL_STREAM";

  private static final Path STDERR = Path.of("/proc/self/fd/2");

  private final boolean journal;

  LogLines(boolean journal) {
    this.journal = journal;
  }

  /** The format for this process's standard error. */
  static LogLines ofProcess() {
    return Holder.OF_PROCESS;
  }

  /** Makes java.util.logging write so. Whoever configured it by a -D option has their way. */
  static void install() {
    if (System.getProperty("java.util.logging.SimpleFormatter.format") != null
        || System.getProperty("java.util.logging.config.file") != null) {
      return;
    }
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setFormatter(ofProcess());
    }
  }

  /**
   * Whether a stream is the one that systemd connected to the journal. The variable alone says
   * nothing: it is inherited by processes whose output goes elsewhere.
   *
   * @param variable JOURNAL_STREAM's value, {@code device:inode} in decimal; empty when unset
   * @param stream the stream, as a path that can be asked for its device and inode
   */
  static boolean isJournal(String variable, Path stream) {
    if (variable.isEmpty()) {
      return false;
    }
    try {
      Object device = Files.getAttribute(stream, "unix:dev");
      Object inode = Files.getAttribute(stream, "unix:ino");
      return variable.equals(device + ":" + inode);
    } catch (IOException e) {
      // Closed, or no /proc: then nobody needs the prefix, and there is nowhere to complain.
      return false;
    }
  }

  @Override
  public String format(LogRecord record) {
    StringWriter text = new StringWriter();
    text.append(formatMessage(record));
    Throwable thrown = record.getThrown();
    if (thrown != null) {
      text.append('\n');
      thrown.printStackTrace(new PrintWriter(text, true));
    }
    String message = text.toString().stripTrailing();
    return journal
        ? line(record.getLevel(), message) + "\n"
        : "bhlat: " + record.getLevel().getName() + ": " + message + "\n";
  }

  /**
   * A message of the command itself, without a line end: to people {@code bhlat: text}, to the
   * journal with its level.
   */
  String line(Level level, String message) {
    if (!journal) {
      return "bhlat: " + message;
    }
    String prefix = "<" + priority(level) + ">";
    return message.lines().map(line -> prefix + line).collect(Collectors.joining("\n"));
  }

  /** The priority of syslog(3). */
  private static int priority(Level level) {
    int value = level.intValue();
    if (value >= Level.SEVERE.intValue()) {
      return 3;
    }
    if (value >= Level.WARNING.intValue()) {
      return 4;
    }
    return value >= Level.INFO.intValue() ? 6 : 7;
  }

  private static final class Holder {
    static final LogLines OF_PROCESS =
        new LogLines(isJournal(System.getenv().getOrDefault(JOURNAL_STREAM, ""), STDERR));
  }
}
