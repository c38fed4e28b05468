// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan.State;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What bhlat counts on Debian's 6.12 with PREEMPT_RT, against a module that knows. One boot. */
class TruthOnRtTest {

  private static List<TruthReport> reports = List.of();

  @BeforeAll
  static void measureInAGuest() throws IOException, InterruptedException {
    LabGuest.assumeQuick();
    reports =
        new TruthGuest("6.12-rt")
            .measure(
                Optional.empty(),
                16_384,
                TruthScenario.HI_TASKLET,
                TruthScenario.TASKLET,
                TruthScenario.HIGHPRI_WORK,
                TruthScenario.UNBOUND_WORK,
                TruthScenario.BH_WORK)
            .measure(Optional.empty(), 16_384, TruthScenario.TIMER)
            .reports();
  }

  @ParameterizedTest
  @EnumSource(names = {"HI_TASKLET", "TASKLET", "HIGHPRI_WORK", "UNBOUND_WORK", "BH_WORK"})
  void countsTheSameWithTheSameMedian(TruthScenario scenario) {
    TruthReport report = reports.get(0);
    TruthOutcome outcome = report.of(scenario);

    assertThat(report.state(Measurement.of(scenario.workClass()))).isEqualTo(State.ATTACHED);
    assertThat(outcome.started()).isEqualTo(scenario.count());
    assertThat(outcome.counted()).as(outcome.lost().toString()).isEqualTo(outcome.started());
    assertThat(outcome.unexplained()).isZero();
    TruthTest.assertMedian(outcome);
  }

  @Test
  void timesATimerThatStandsInForTheMixing() {
    TruthOutcome timer = reports.get(1).of(TruthScenario.TIMER);

    assertThat(timer.started()).isEqualTo(TruthScenario.TIMER.count());
    assertThat(timer.counted()).as(timer.lost().toString()).isEqualTo(timer.started());
    TruthTest.assertMedian(timer);
  }

  @Test
  void softirqsNeverRunAtIrqExit() {
    Map<String, Long> contexts = reports.get(0).of(TruthScenario.HI_TASKLET).contexts();

    assertThat(contexts).containsKey("ksoftirqd").doesNotContainKey("irq_exit");
    assertThat(contexts.keySet()).isSubsetOf("ksoftirqd", "ktimers", "irq_thread", "task");
  }
}
