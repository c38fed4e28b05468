// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FunctionSelectionTest {

  private static final FunctionKey RARE = work("rare_fn");
  private static final FunctionKey OFTEN = work("often_fn");
  private static final FunctionKey AS_OFTEN = work("as_often_fn");
  private static final FunctionKey TASKLET =
      new FunctionKey(WorkClass.TASKLET, "tasklet_fn", Optional.empty());
  private static final FunctionKey OTHER = FunctionKey.other(WorkClass.WORKQUEUE);

  private static final Map<FunctionKey, FunctionCounts> FUNCTIONS =
      Map.of(
          RARE, ran(1),
          OFTEN, ran(5),
          AS_OFTEN, ran(5),
          TASKLET, ran(3),
          OTHER, ran(100));

  private static FunctionKey work(String function) {
    return new FunctionKey(WorkClass.WORKQUEUE, function, Optional.of("events"));
  }

  private static FunctionCounts ran(int times) {
    return new FunctionCounts(Samples.counting(times), LatencyHistogram.EMPTY);
  }

  @Test
  void busiestAreThoseThatRanMostOtherNotAmongThem() {
    assertThat(FunctionSelection.busiest(FUNCTIONS, 3))
        .containsExactlyInAnyOrder(OFTEN, AS_OFTEN, TASKLET);
    assertThat(FunctionSelection.busiest(FUNCTIONS, 99)).hasSize(4).doesNotContain(OTHER);
    assertThat(FunctionSelection.busiest(FUNCTIONS, 0)).isEmpty();
  }

  @Test
  void ofEquallyBusyOnesTheFirstByNameIsChosen() {
    assertThat(FunctionSelection.busiest(FUNCTIONS, 1)).containsExactly(AS_OFTEN);
  }

  @Test
  void whatIsNotKeptIsAddedToOtherOfItsClass() {
    assertThat(FunctionSelection.keep(FUNCTIONS, Set.of(OFTEN)))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(OFTEN, ran(5), OTHER, ran(106), FunctionKey.other(WorkClass.TASKLET), ran(3)));
  }

  @Test
  void keepingLosesNoSample() {
    assertThat(
            FunctionSelection.keep(FUNCTIONS, Set.of(RARE, TASKLET)).values().stream()
                .mapToLong(counts -> counts.queueLatency().count())
                .sum())
        .isEqualTo(114);
  }

  @Test
  void displaysTheBusiestFirstAndOtherLast() {
    assertThat(FunctionSelection.inDisplayOrder(FUNCTIONS))
        .containsExactly(AS_OFTEN, OFTEN, TASKLET, RARE, OTHER);
  }

  @Test
  void onlyClassesWithFunctionsHaveKeys() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FunctionKey.other(WorkClass.SOFTIRQ))
        .withMessage("softirq has no functions");
    assertThat(OTHER.isOther()).isTrue();
    assertThat(RARE.isOther()).isFalse();
    assertThat(work(FunctionKey.OTHER).isOther()).isFalse();
  }
}
