// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.cli.BhlatProcess.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How {@code bhlat hist} ends before its time. */
final class StopTest {

  /** Long before the hour, even on a busy host. */
  private static final Duration SOON = Duration.ofSeconds(20);

  @BeforeAll
  static void needsRoot() {
    Needs.root();
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void printsWhatWasCountedWhenASignalComes(String signal) throws InterruptedException {
    // A shell's background jobs ignore SIGINT, and their children with them.
    try (BhlatProcess hist =
        bhlat("hist", "--duration", "1h").by("env", "--default-signal=INT,TERM").start()) {
      hist.awaitAttached();
      Thread.sleep(500);
      hist.signal(signal);
      Outcome stopped = hist.awaitEnd(SOON);
      assertThat(stopped.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(stopped.out()).startsWith("bhlat hist").contains("accounts");
      assertThat(stopped.err()).isEmpty();
    }
  }

  @Test
  void endsSilentlyWhenNobodyReadsAnyMore() {
    try (BhlatProcess hist =
        bhlat("hist", "--interval", "100ms", "--duration", "1h")
            .by("bash", "-c", "\"$@\" | head -1; exit ${PIPESTATUS[0]}", "bash")
            .start()) {
      Outcome cut = hist.awaitEnd(SOON);
      assertThat(cut.out()).startsWith("bhlat hist").hasLineCount(1);
      assertThat(cut.err()).isEmpty();
      assertThat(cut.exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void saysThatItsOutputIsLostWhenTheDiskIsFull() {
    try (BhlatProcess hist =
        bhlat("hist", "--interval", "100ms", "--duration", "1h").stdout("/dev/full").start()) {
      Outcome full = hist.awaitEnd(SOON);
      assertThat(full.err())
          .isEqualTo("bhlat: write to standard output: No space left on device\n");
      assertThat(full.exitCode()).isEqualTo(ExitCode.CANNOT);
    }
  }

  @Test
  void losesNotEvenTheHelpInSilence() {
    Outcome full = bhlat("--help").stdout("/dev/full").run();
    assertThat(full.err()).contains("write to standard output: No space left on device");
    assertThat(full.exitCode()).isEqualTo(ExitCode.CANNOT);
  }
}
