// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TicksTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void comeAtEvenTimesHoweverLateTheLastOneWas() {
    Ticks ticks = new Ticks(Optional.of(Duration.ofSeconds(1)), Duration.ofSeconds(10), 0);
    assertThat(ticks.untilNext(0)).isEqualTo(Duration.ofSeconds(1));
    assertThat(ticks.untilNext(SECOND + 300)).isEqualTo(Duration.ofNanos(SECOND - 300));
  }

  @Test
  void areNotMadeUpFor() {
    Ticks ticks = new Ticks(Optional.of(Duration.ofSeconds(1)), Duration.ofSeconds(10), 0);
    assertThat(ticks.untilNext(0)).isEqualTo(Duration.ofSeconds(1));
    assertThat(ticks.untilNext(5 * SECOND + 1)).isEqualTo(Duration.ofNanos(SECOND - 1));
  }

  @Test
  void areThoseOfTheUpkeepWhereNothingIsRecorded() {
    Ticks ticks = new Ticks(Optional.empty(), Duration.ofSeconds(10), 0);
    assertThat(ticks.untilNext(0)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void tellWhenTheUpkeepIsDueToo() {
    Ticks ticks = new Ticks(Optional.of(Duration.ofSeconds(1)), Duration.ofSeconds(10), 0);
    assertThat(ticks.isLongOver(0)).isTrue();
    assertThat(ticks.isLongOver(9 * SECOND)).isFalse();
    assertThat(ticks.isLongOver(10 * SECOND)).isTrue();
    assertThat(ticks.isLongOver(11 * SECOND)).isFalse();
  }
}
