// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class WorkCountsTest {

  private static WorkCounts counts(long queued, LossCounts lost, int started) {
    return new WorkCounts(
        queued, 0, lost, Samples.counting(started), LatencyHistogram.EMPTY, LatencyHistogram.EMPTY);
  }

  @Test
  void queuedIsStartedAndPendingAndLost() {
    LossCounts lost =
        LossCounts.of(LossReason.PENDING_FULL, 2).plus(LossCounts.of(LossReason.AGED_OUT, 1));
    WorkCounts counts = counts(10, lost, 4);
    assertThat(counts.started()).isEqualTo(4);
    assertThat(counts.pending()).isEqualTo(3);
  }

  @Test
  void lossesOfStartsAndEndsAreNotLostQueueings() {
    LossCounts lost =
        LossCounts.of(LossReason.NO_QUEUE_SEEN, 5)
            .plus(LossCounts.of(LossReason.RUNNING_FULL, 5))
            .plus(LossCounts.of(LossReason.NO_START_SEEN, 5));
    assertThat(counts(10, lost, 4).pending()).isEqualTo(6);
  }

  @Test
  void theAccountBalancesOverAllCpusWhenWorkMigrates() {
    WorkCounts queuedHere = counts(7, LossCounts.NONE, 0);
    WorkCounts startedThere = counts(0, LossCounts.NONE, 5);
    assertThat(queuedHere.plus(startedThere).pending()).isEqualTo(2);
  }

  @Test
  void subtractsEverythingThatItAdds() {
    LossCounts lost = LossCounts.of(LossReason.CANCELLED, 1);
    WorkCounts earlier = counts(3, LossCounts.NONE, 2);
    WorkCounts growth =
        new WorkCounts(4, 2, lost, Samples.counting(1), Samples.counting(2), Samples.counting(3));
    WorkCounts since = earlier.plus(growth).since(earlier);
    assertThat(since.queued()).isEqualTo(4);
    assertThat(since.flushBarriers()).isEqualTo(2);
    assertThat(since.lost()).isEqualTo(lost);
    assertThat(since.queueLatency().count()).isEqualTo(1);
    assertThat(since.activationLatency()).isEqualTo(Samples.counting(2));
    assertThat(since.serviceTime()).isEqualTo(Samples.counting(3));
    assertThat(growth.since(growth).isNone()).isTrue();
    assertThat(WorkCounts.NONE.withLost(lost).isNone()).isFalse();
  }

  @Test
  void refusesToShrink() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> counts(3, LossCounts.NONE, 0).since(counts(4, LossCounts.NONE, 0)))
        .withMessageContaining("-1 queued");
  }
}
