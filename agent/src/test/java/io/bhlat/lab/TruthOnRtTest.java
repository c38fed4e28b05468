// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan.State;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What bhlat counts on Debian's 6.12 with PREEMPT_RT, against a module that knows. One boot. */
class TruthOnRtTest {

  private static List<TruthReport> reports = List.of();

  @BeforeAll
  static void measureInAGuest() throws IOException, InterruptedException {
    reports =
        new TruthGuest("6.12-rt")
            .measure(Optional.empty(), 16_384, TruthGuest.KINDS.toArray(TruthScenario[]::new))
            .reports();
  }

  @ParameterizedTest
  @EnumSource(names = {"HI_TASKLET", "TASKLET", "HIGHPRI_WORK", "UNBOUND_WORK"})
  void countsTheSameWithTheSameMedian(TruthScenario scenario) {
    TruthReport report = reports.get(0);
    TruthOutcome outcome = report.of(scenario);

    assertThat(report.state(Measurement.of(scenario.workClass()))).isEqualTo(State.ATTACHED);
    assertThat(outcome.started()).isEqualTo(scenario.count());
    assertThat(outcome.counted()).as(outcome.lost().toString()).isEqualTo(outcome.started());
    assertThat(outcome.unexplained()).isZero();
    TruthTest.assertMedian(outcome);
  }
}
