// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan.State;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What bhlat counts on Debian's 6.1, against a module that knows. One boot. */
class TruthTest {

  /**
   * How much shorter bhlat's latencies may be on two emulated CPUs: its stamps are taken within the
   * module's, and the module's own latencies contain what the probes cost.
   */
  static final long OFFSET_NS = 20_000;

  /** The same on an emulated CPU that was offline a moment ago. */
  private static final long OFFSET_AFTER_HOTPLUG_NS = 2_000_000;

  private static final int ROOM = 150_000;
  private static final int LITTLE_ROOM = 1_000;

  private static List<TruthReport> reports = List.of();

  @BeforeAll
  static void measureInAGuest() throws IOException, InterruptedException {
    LabGuest.assumeThere();
    reports =
        new TruthGuest("6.1")
            .measure(Optional.empty(), ROOM, TruthGuest.ALL)
            .measure(
                Optional.of(ProbeKind.KPROBE),
                ROOM,
                TruthScenario.HI_TASKLET,
                TruthScenario.TASKLET,
                TruthScenario.HIGHPRI_WORK,
                TruthScenario.CONTENDED_WORK,
                TruthScenario.DISABLED_TASKLET,
                TruthScenario.CONTENDED_TASKLET)
            .measure(Optional.empty(), LITTLE_ROOM, TruthScenario.MANY, TruthScenario.CANCELLED)
            .measure(Optional.empty(), ROOM, TruthScenario.TIMER)
            .reports();
  }

  private static TruthReport exact() {
    return reports.get(0);
  }

  private static TruthReport byKprobes() {
    return reports.get(1);
  }

  private static TruthReport crowded() {
    return reports.get(2);
  }

  @Test
  void probesTaskletsByFentryAndWhenToldToByKprobes() {
    assertThat(exact().state(Measurement.TASKLET)).isEqualTo(State.ATTACHED);
    assertThat(exact().probesOf(Measurement.TASKLET))
        .contains("fentry __tasklet_schedule", "fentry __tasklet_hi_schedule");
    assertThat(byKprobes().probesOf(Measurement.TASKLET))
        .contains("kprobe __tasklet_schedule", "kprobe __tasklet_hi_schedule");
  }

  @ParameterizedTest
  @EnumSource(
      names = {"TIMER", "BH_WORK"},
      mode = EnumSource.Mode.EXCLUDE)
  void countsWhatStartedAndNothingElse(TruthScenario scenario) {
    TruthOutcome outcome = exact().of(scenario);

    assertThat(outcome.started() + outcome.cancelled())
        .as("the module")
        .isEqualTo(outcome.queued());
    assertThat(outcome.counted()).as(outcome.lost().toString()).isEqualTo(outcome.started());
  }

  @ParameterizedTest
  @EnumSource(names = {"HI_TASKLET", "TASKLET", "DISABLED_TASKLET", "CONTENDED_TASKLET"})
  void countsWhatStartedByKprobesToo(TruthScenario scenario) {
    TruthOutcome outcome = byKprobes().of(scenario);

    assertThat(outcome.counted()).as(outcome.lost().toString()).isEqualTo(outcome.started());
    if (!outcome.latenciesNs().isEmpty()) {
      assertMedian(outcome);
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {"ABANDONED", "TIMER", "BH_WORK"},
      mode = EnumSource.Mode.EXCLUDE)
  void measuresTheSameMedianAndNothingLonger(TruthScenario scenario) {
    assertMedian(exact().of(scenario));
  }

  static void assertMedian(TruthOutcome outcome) {
    int cell = outcome.quantileCell(0.5);
    long offsetNs =
        outcome.scenario().name().startsWith("MOVED") ? OFFSET_AFTER_HOTPLUG_NS : OFFSET_NS;
    assertThat(LatencyBuckets.lowerBoundNs(cell))
        .as("lower bound of bhlat's median of %s", outcome.scenario())
        .isLessThanOrEqualTo(outcome.medianNs());
    assertThat(LatencyBuckets.upperBoundNs(cell))
        .as("upper bound of bhlat's median of %s", outcome.scenario())
        .isGreaterThanOrEqualTo(outcome.medianNs() - offsetNs);
    assertThat(LatencyBuckets.lowerBoundNs(outcome.quantileCell(1)))
        .as("lower bound of bhlat's greatest of %s", outcome.scenario())
        .isLessThanOrEqualTo(outcome.latenciesNs().get(outcome.latenciesNs().size() - 1));
  }

  @ParameterizedTest
  @EnumSource(
      names = {"TIMER", "BH_WORK"},
      mode = EnumSource.Mode.EXCLUDE)
  void explainsAllThatWasQueued(TruthScenario scenario) {
    assertThat(exact().of(scenario).unexplained()).isZero();
    assertThat(exact().unexplainedInTheEnd()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"HELD_HI_TASKLET", "HELD_TASKLET"})
  void seesBottomHalvesHeldOff(TruthScenario scenario) {
    assertThat(exact().of(scenario).quantileCell(0.5))
        .isGreaterThanOrEqualTo(LatencyBuckets.cellOf(5_000_000) - 1);
  }

  @Test
  void timesATimerThatStandsInForTheMixing() {
    TruthOutcome timer = reports.get(3).of(TruthScenario.TIMER);

    assertThat(timer.started()).isEqualTo(TruthScenario.TIMER.count());
    assertThat(timer.counted()).as(timer.lost().toString()).isEqualTo(timer.started());
    assertMedian(timer);
  }

  @Test
  void countsCallsOfQueueWorkOnByResultAndRequestedCpu() {
    for (TruthReport report : List.of(exact(), byKprobes())) {
      // Others call it too.
      assertThat(report.of(TruthScenario.HIGHPRI_WORK).queueCalls("same_cpu queued"))
          .isBetween(300L, 400L);
      TruthOutcome contended = report.of(TruthScenario.CONTENDED_WORK);
      assertThat(contended.queueCalls("other_cpu queued"))
          .isBetween(contended.queued(), contended.queued() + 100);
      assertThat(contended.queueCalls("other_cpu already_pending")).isPositive();
    }
    assertThat(byKprobes().probesOf(Measurement.QUEUE_WORK_ON))
        .containsExactly("kretprobe queue_work_on", "kprobe queue_work_on");
  }

  @Test
  void softirqsRunAtIrqExitOrByKsoftirqd() {
    assertThat(exact().of(TruthScenario.HI_TASKLET).contexts()).containsKey("irq_exit");
    assertThat(exact().of(TruthScenario.HI_TASKLET).contexts().keySet())
        .isSubsetOf("irq_exit", "ksoftirqd", "irq_thread");
  }

  @Test
  void countsItemsThatWereCancelledAndQueuedAgain() {
    TruthOutcome outcome = exact().of(TruthScenario.CANCELLED);

    assertThat(outcome.cancelled()).isEqualTo(500);
    // The guest's own work may be cancelled too.
    assertThat(outcome.lost("cancelled")).isBetween(500L, 510L);
  }

  @Test
  void countsItemsThatWereCancelledForGoodWhenTheyAgeOut() {
    TruthOutcome outcome = exact().of(TruthScenario.ABANDONED);

    assertThat(outcome.cancelled()).isEqualTo(500);
    assertThat(outcome.stamps()).isBetween(500L, 510L);
    assertThat(exact().lostInTheEnd().get("aged_out")).isBetween(500L, 510L);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "REQUEUED_WORK",
        "REQUEUED_TASKLET",
        "REQUEUED_HI_TASKLET",
        "CONTENDED_WORK",
        "CONTENDED_TASKLET",
        "FREED",
        "DISABLED_TASKLET",
        "OTHER_CPU",
        "MANY",
        "DATA_TASKLET",
        "MOVED_TASKLET",
        "MOVED_HI_TASKLET",
        "MOVED_WORK"
      })
  void losesNothingThatIsQueuedAgainFreedDisabledMovedOrOneOfMany(TruthScenario scenario) {
    TruthOutcome outcome = exact().of(scenario);

    // Those of ABANDONED age out whenever it is their time, all of them looked at in another test.
    long lost =
        outcome.lost().values().stream().mapToLong(Long::longValue).sum()
            - outcome.lost("aged_out");
    assertThat(lost)
        .as(outcome.lost().toString())
        .isLessThanOrEqualTo(2); // of the guest's own work
    assertThat(outcome.lost("negative_delta")).isZero();
  }

  @Test
  void tellsTheWaitForMaxActive() {
    TruthOutcome outcome = exact().of(TruthScenario.LIMITED);

    // All but the first wait for at least one other, which holds the queue for 2 ms.
    assertThat(outcome.activationsAbove(2_000_000))
        .isBetween(outcome.started() - 1, outcome.started() + 4); // and the guest's own
  }

  @Test
  void countsWhatThereWasNoRoomFor() {
    TruthOutcome many = crowded().of(TruthScenario.MANY);

    assertThat(many.started()).isEqualTo(many.queued());
    // The guest's own work finds no room either.
    assertThat(many.counted() + many.lost("pending_full"))
        .isBetween(many.queued(), many.queued() + 50);
    assertThat(many.lost("no_queue_seen")).isEqualTo(many.lost("pending_full"));
    assertThat(many.unexplained()).isZero();
    assertThat(crowded().of(TruthScenario.CANCELLED).counted()).isEqualTo(500);
  }
}
