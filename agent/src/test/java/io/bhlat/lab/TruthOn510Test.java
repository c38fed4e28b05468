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

/** What bhlat counts on Debian's 5.10, the oldest, against a module that knows. One boot. */
class TruthOn510Test {

  private static List<TruthReport> reports = List.of();

  @BeforeAll
  static void measureInAGuest() throws IOException, InterruptedException {
    reports =
        new TruthGuest("5.10")
            .measure(
                Optional.empty(),
                16_384,
                TruthScenario.HIGHPRI_WORK,
                TruthScenario.UNBOUND_WORK,
                TruthScenario.CANCELLED,
                TruthScenario.REQUEUED_WORK,
                TruthScenario.CONTENDED_WORK,
                TruthScenario.LIMITED,
                TruthScenario.FREED,
                TruthScenario.OTHER_CPU)
            .reports();
  }

  /** It has neither tasklet_entry nor tasklet_clear_sched: nothing sees a tasklet start. */
  @Test
  void saysThatTaskletsAreNotMeasured() {
    assertThat(reports.get(0).state(Measurement.TASKLET)).isEqualTo(State.MISSING);
    assertThat(reports.get(0).notes().get(Measurement.TASKLET))
        .anySatisfy(note -> assertThat(note).contains("tasklet_entry"));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "HIGHPRI_WORK",
        "UNBOUND_WORK",
        "CANCELLED",
        "REQUEUED_WORK",
        "CONTENDED_WORK",
        "LIMITED",
        "FREED",
        "OTHER_CPU"
      })
  void countsWorkItems(TruthScenario scenario) {
    TruthOutcome outcome = reports.get(0).of(scenario);

    assertThat(outcome.counted()).as(outcome.lost().toString()).isEqualTo(outcome.started());
    assertThat(outcome.started() + outcome.cancelled()).isEqualTo(outcome.queued());
    assertThat(outcome.unexplained()).isZero();
    if (!outcome.latenciesNs().isEmpty()) {
      TruthTest.assertMedian(outcome);
    }
  }
}
