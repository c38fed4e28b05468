// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan.State;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * What bhlat counts on Debian's 5.10, the oldest, against a module that knows. One boot. It has
 * neither tasklet_entry nor tasklet_clear_sched: tasklets are seen by the functions that they run.
 */
class TruthOn510Test {

  private static List<TruthReport> reports = List.of();

  /** All but two that take long and are no different here. */
  @BeforeAll
  static void measureInAGuest() throws IOException, InterruptedException {
    LabGuest.assumeThere();
    reports =
        new TruthGuest("5.10")
            .measure(
                Optional.empty(),
                16_384,
                TruthScenario.HI_TASKLET,
                TruthScenario.TASKLET,
                TruthScenario.HELD_HI_TASKLET,
                TruthScenario.HELD_TASKLET,
                TruthScenario.REQUEUED_TASKLET,
                TruthScenario.REQUEUED_HI_TASKLET,
                TruthScenario.CONTENDED_TASKLET,
                TruthScenario.DISABLED_TASKLET,
                TruthScenario.DATA_TASKLET,
                TruthScenario.MOVED_TASKLET,
                TruthScenario.MOVED_HI_TASKLET,
                TruthScenario.HIGHPRI_WORK,
                TruthScenario.UNBOUND_WORK,
                TruthScenario.HELD_WORK,
                TruthScenario.CANCELLED,
                TruthScenario.REQUEUED_WORK,
                TruthScenario.CONTENDED_WORK,
                TruthScenario.LIMITED,
                TruthScenario.FREED,
                TruthScenario.OTHER_CPU,
                TruthScenario.MOVED_WORK)
            .measureAcrossReload(TruthScenario.DATA_TASKLET)
            .reports();
  }

  private static TruthReport report() {
    return reports.get(0);
  }

  @Test
  void probesTheFunctionsThatTaskletsRun() {
    assertThat(report().state(Measurement.TASKLET)).isEqualTo(State.ATTACHED);
    assertThat(report().probesOf(Measurement.TASKLET))
        .contains("kprobe tasklet_callbacks", "kretprobe tasklet_callbacks");
    assertThat(report().notes().get(Measurement.TASKLET))
        .singleElement()
        .asString()
        .contains("start_missed");
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"ABANDONED", "MANY"})
  void countsWhatStartedAndNothingElse(TruthScenario scenario) {
    TruthOutcome outcome = report().of(scenario);

    assertThat(outcome.started() + outcome.cancelled())
        .as("the module")
        .isEqualTo(outcome.queued());
    assertThat(outcome.counted()).as(outcome.lost().toString()).isEqualTo(outcome.started());
    assertThat(outcome.unexplained()).isZero();
    TruthTest.assertMedian(outcome);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ANY, names = ".*TASKLET")
  void seesTaskletsEnd(TruthScenario scenario) {
    TruthOutcome outcome = report().of(scenario);

    assertThat(outcome.classServed()).isEqualTo(outcome.classStarted());
    assertThat(outcome.lost()).as("once its function is probed").isEmpty();
  }

  /** Functions come back at their old addresses, or other functions are there now. */
  @Test
  void countsTaskletsOfAModuleThatIsUnloadedAndLoadedAgain() {
    assertThat(reports.get(1).outcomes())
        .hasSize(4)
        .allSatisfy(
            outcome -> {
              assertThat(outcome.classQueued()).isEqualTo(outcome.queued());
              assertThat(outcome.classStarted()).isEqualTo(outcome.started());
              assertThat(outcome.classServed()).isEqualTo(outcome.started());
              assertThat(outcome.stamps()).as("left behind").isLessThan(10);
              assertThat(outcome.unexplained()).isZero();
            });
  }

  @Test
  void losesOnlyWhatIsQueuedBeforeItsFunctionIsProbed() {
    assertThat(report().taskletsLostInTheEnd()).containsOnlyKeys("start_missed");
    assertThat(report().unexplainedInTheEnd()).isZero();
  }
}
