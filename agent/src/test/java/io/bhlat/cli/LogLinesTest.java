// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.cli.BhlatProcess.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages on standard error, as people and as the journal read them. */
final class LogLinesTest {

  private final LogLines forPeople = new LogLines(false);
  private final LogLines forJournal = new LogLines(true);

  @Test
  void nameTheProgramAndTheLevelToPeople() {
    assertThat(forPeople.format(new LogRecord(Level.WARNING, "half a loaf")))
        .isEqualTo("bhlat: WARNING: half a loaf\n");
  }

  @Test
  void carryTheLevelOfSyslogToTheJournalAndNothingElse() {
    assertThat(forJournal.format(new LogRecord(Level.SEVERE, "a"))).isEqualTo("<3>a\n");
    assertThat(forJournal.format(new LogRecord(Level.WARNING, "a"))).isEqualTo("<4>a\n");
    assertThat(forJournal.format(new LogRecord(Level.INFO, "a"))).isEqualTo("<6>a\n");
    assertThat(forJournal.format(new LogRecord(Level.FINE, "a"))).isEqualTo("<7>a\n");
  }

  @Test
  void carryItOnEveryLineOfAMessage() {
    assertThat(forJournal.format(new LogRecord(Level.WARNING, "one\ntwo\n")))
        .isEqualTo("<4>one\n<4>two\n");
  }

  @Test
  void carryItOnEveryLineOfAStackTrace() {
    LogRecord failed = new LogRecord(Level.SEVERE, "collect kernel: failed");
    failed.setThrown(new IllegalStateException("gone"));
    assertThat(forJournal.format(failed))
        .startsWith("<3>collect kernel: failed\n<3>java.lang.IllegalStateException: gone\n")
        .endsWith("\n");
    assertThat(forJournal.format(failed).lines()).allMatch(line -> line.startsWith("<3>"));
    assertThat(forPeople.format(failed))
        .startsWith("bhlat: SEVERE: collect kernel: failed\njava.lang.IllegalStateException: gone");
  }

  @Test
  void goToTheJournalOnlyWhenItIsTheSameStream(@TempDir Path folder) throws IOException {
    Path stream = Files.createFile(folder.resolve("stream"));
    String name =
        Files.getAttribute(stream, "unix:dev") + ":" + Files.getAttribute(stream, "unix:ino");

    assertThat(LogLines.isJournal(name, stream)).isTrue();
    assertThat(LogLines.isJournal(name + "1", stream)).isFalse();
    assertThat(LogLines.isJournal("", stream)).isFalse();
    assertThat(LogLines.isJournal("rubbish", stream)).isFalse();
    assertThat(LogLines.isJournal(name, folder.resolve("absent"))).isFalse();
  }

  @Test
  void ofARealProcessHaveTheirLevelWhenItsStandardErrorIsTheJournals(@TempDir Path folder)
      throws IOException {
    Path journal = folder.resolve("journal");
    Outcome serve =
        bhlat("serve", "--web.listen-address", "192.0.2.1:9")
            .by("sh", "-c", "exec 2>\"$0\"; JOURNAL_STREAM=$(stat -Lc %d:%i \"$0\") exec \"$@\"")
            .by(journal.toString())
            .run();

    assertThat(serve.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(Files.readString(journal)).startsWith("<3>listen on 192.0.2.1:9: EADDRNOTAVAIL");
  }

  @Test
  void ofARealProcessAreForPeopleWhenTheVariableIsAnotherStreams() {
    Outcome serve =
        bhlat("serve", "--web.listen-address", "192.0.2.1:9").by("env", "JOURNAL_STREAM=1:2").run();

    assertThat(serve.err()).startsWith("bhlat: listen on 192.0.2.1:9: EADDRNOTAVAIL");
  }
}
