// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LossCountsTest {

  private static LossCounts oneOfEach() {
    return Arrays.stream(LossReason.values())
        .map(reason -> LossCounts.of(reason, 1))
        .reduce(LossCounts.NONE, LossCounts::plus);
  }

  @Test
  void everyReasonBelongsToOneAccount() {
    LossCounts counts = oneOfEach();
    assertThat(counts.total(LossReason.Side.QUEUED)).isEqualTo(6);
    assertThat(counts.total(LossReason.Side.STARTED)).isEqualTo(1);
    assertThat(counts.total(LossReason.Side.SERVED)).isEqualTo(2);
    assertThat(Arrays.stream(LossReason.values()).map(LossReason::label)).doesNotHaveDuplicates();
    assertThat(LossReason.values()).allMatch(reason -> !reason.remedy().isBlank());
  }

  @Test
  void addsAndSubtractsReasonByReason() {
    LossCounts three = LossCounts.of(LossReason.PENDING_FULL, 3);
    LossCounts both = three.plus(LossCounts.of(LossReason.CANCELLED, 2));
    assertThat(both.count(LossReason.PENDING_FULL)).isEqualTo(3);
    assertThat(both.count(LossReason.CANCELLED)).isEqualTo(2);
    assertThat(both.count(LossReason.AGED_OUT)).isZero();
    assertThat(both.since(three)).isEqualTo(LossCounts.of(LossReason.CANCELLED, 2));
    assertThat(both.since(both).isNone()).isTrue();
  }

  @Test
  void doesNotChangeWithTheArrayItWasMadeFrom() {
    long[] counts = new long[LossReason.values().length];
    counts[0] = 1;
    LossCounts losses = LossCounts.of(counts);
    counts[0] = 9;
    assertThat(losses).isEqualTo(LossCounts.of(LossReason.PENDING_FULL, 1));
  }

  @Test
  void refusesCountsThatCannotBe() {
    assertThatIllegalArgumentException().isThrownBy(() -> LossCounts.of(new long[1]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LossCounts.of(LossReason.CANCELLED, -1))
        .withMessageStartingWith("negative loss");
    assertThatIllegalArgumentException().isThrownBy(() -> LossCounts.NONE.since(oneOfEach()));
  }
}
