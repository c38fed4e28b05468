// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.Counts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProgressTest {

  private static final Optional<Duration> TOTAL = Optional.of(Duration.ofSeconds(10));

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Units units = Units.forCharset(UTF_8);
  private final Counts busy = Example.interval().counts();
  private final Counts idle = Example.idle().counts();

  private Progress progress(boolean terminal, int columns) {
    return new Progress(new PrintStream(bytes, true, UTF_8), terminal, units, columns);
  }

  @Test
  void saysHowFarItIsAndWhatWasCounted() {
    progress(true, 120).show(Duration.ofMillis(3_900), TOTAL, busy);
    assertThat(bytes.toString(UTF_8))
        .isEqualTo(
            "\rmeasuring 3 of 10 s · 508,236 softirqs · 60,155 work items · 88,400 tasklets"
                + " · 420 fast pool mixes · 61 lost");
  }

  @Test
  void keepsTheLossesWhereNotEverythingFits() {
    progress(true, 80).show(Duration.ofMillis(3_900), TOTAL, busy);
    assertThat(bytes.toString(UTF_8))
        .isEqualTo("\rmeasuring 3 of 10 s · 508,236 softirqs · 60,155 work items · 61 lost");
  }

  @Test
  void leavesNothingBehind() {
    Progress progress = progress(true, 80);
    progress.show(Duration.ofSeconds(1), TOTAL, busy);
    progress.show(Duration.ofSeconds(2), TOTAL, idle);
    String shorter = "measuring 2 of 10 s";
    assertThat(bytes.toString(UTF_8))
        .startsWith("\rmeasuring 1 of 10 s · ")
        .endsWith("\r" + shorter + " ".repeat(68 - shorter.length()));
    progress.erase();
    progress.erase();
    assertThat(bytes.toString(UTF_8)).endsWith("\r" + " ".repeat(shorter.length()) + "\r");
  }

  @Test
  void saysHowToEndWhatHasNoEnd() {
    progress(true, 80).show(Duration.ofSeconds(75), Optional.empty(), idle);
    assertThat(bytes.toString(UTF_8)).isEqualTo("\rmeasuring 75 s, Ctrl-C ends");
  }

  @Test
  void isSilentWhereStandardErrorIsNoTerminal() {
    Progress progress = progress(false, 80);
    progress.show(Duration.ofSeconds(1), TOTAL, busy);
    progress.erase();
    assertThat(bytes.size()).isZero();
  }
}
