// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.kernel.LayoutField;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.State;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProbePlannerTest {

  private static final String ABSENT = "attach: ENOENT; this kernel does not have it";

  private static ProbePlanner planner(TraceTarget target) {
    return new ProbePlanner(TraceOptions.everything(), target);
  }

  /** Every probe is attached but those of these tracepoints. */
  private static Function<Probe, Optional<String>> without(String... tracepoints) {
    List<String> missing = Arrays.asList(tracepoints);
    return probe -> missing.contains(probe.target()) ? Optional.of(ABSENT) : Optional.empty();
  }

  private static List<String> targets(Iterable<Probe> probes) {
    return java.util.stream.StreamSupport.stream(probes.spliterator(), false)
        .map(Probe::target)
        .toList();
  }

  @Test
  void attachesEndsThenStartsThenActivationThenQueueingsEachOnce() {
    assertThat(targets(planner(Targets.of(FastPoolMechanism.TIMER)).probes()))
        .containsExactly(
            "timer_expire_exit",
            "workqueue_execute_end",
            "tasklet_exit",
            "softirq_exit",
            "timer_expire_entry",
            "workqueue_execute_start",
            "tasklet_entry",
            "softirq_entry",
            "workqueue_activate_work",
            "timer_start",
            "workqueue_queue_work",
            "softirq_raise");
  }

  @ParameterizedTest
  @EnumSource(
      value = FastPoolMechanism.class,
      names = {"WORKQUEUE", "TASKLET"})
  void aFastPoolMixedByWorkThatIsTracedAnywayNeedsNoProbeOfItsOwn(FastPoolMechanism mechanism) {
    ProbePlanner planner = planner(Targets.of(mechanism));
    assertThat(targets(planner.probes())).hasSize(9).doesNotHaveDuplicates();
    assertThat(planner.plan(without()).of(Measurement.FAST_POOL).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void servesEverythingWhenEveryProbeIsAttached() {
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).plan(without());
    assertThat(plan.isComplete()).isTrue();
    assertThat(plan.mechanism()).isEqualTo(FastPoolMechanism.TIMER);
    assertThat(plan.measurements())
        .extracting(Planned::measurement)
        .containsExactly(Measurement.values());
    assertThat(plan.measurements()).allMatch(planned -> planned.state() == State.ATTACHED);
    assertThat(plan.countsQueued(WorkClass.WORKQUEUE)).isTrue();
    assertThat(plan.countsQueued(WorkClass.SOFTIRQ)).isTrue();
    assertThat(plan.countsQueued(WorkClass.TASKLET))
        .as("tasklets share the raise of their vector")
        .isFalse();
    assertThat(plan.of(Measurement.TASKLET).notes()).hasSize(1);
  }

  @Test
  void aMissingOptionalProbeCostsWhatItSaysAndNoMore() {
    ProbePlan plan =
        planner(Targets.of(FastPoolMechanism.TIMER)).plan(without("workqueue_activate_work"));
    Planned workqueue = plan.of(Measurement.WORKQUEUE);
    assertThat(workqueue.state()).isEqualTo(State.PARTIAL);
    assertThat(workqueue.notes())
        .containsExactly("the wait for max_active is not told apart: " + ABSENT);
    assertThat(workqueue.probes())
        .filteredOn(status -> !status.attached())
        .extracting(status -> status.probe().toString())
        .containsExactly("raw_tracepoint workqueue_activate_work");
    assertThat(plan.isComplete()).isFalse();
    assertThat(plan.countsQueued(WorkClass.WORKQUEUE)).isTrue();
    assertThat(plan.of(Measurement.SOFTIRQ).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void aMissingRequiredProbeLosesItsMeasurementAndNoOther() {
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).plan(without("tasklet_entry"));
    assertThat(plan.of(Measurement.TASKLET).state()).isEqualTo(State.MISSING);
    assertThat(plan.of(Measurement.TASKLET).notes()).containsExactly(ABSENT);
    for (Measurement other :
        Set.of(Measurement.FAST_POOL, Measurement.WORKQUEUE, Measurement.SOFTIRQ)) {
      assertThat(plan.of(other).state()).isEqualTo(State.ATTACHED);
    }
    assertThat(plan.isComplete()).isFalse();
  }

  @Test
  void aSharedProbeThatIsMissingLosesAllThatNeedIt() {
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TASKLET)).plan(without("softirq_raise"));
    assertThat(plan.measurements())
        .filteredOn(planned -> planned.state() == State.MISSING)
        .extracting(Planned::measurement)
        .containsExactly(Measurement.FAST_POOL, Measurement.TASKLET, Measurement.SOFTIRQ);
    assertThat(plan.countsQueued(WorkClass.SOFTIRQ)).isFalse();
    assertThat(plan.of(Measurement.WORKQUEUE).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void uselessAreJustTheProbesThatNoMeasurementCanUse() {
    ProbePlanner planner = planner(Targets.of(FastPoolMechanism.TIMER));
    assertThat(planner.useless(without())).isEmpty();
    assertThat(planner.useless(without("workqueue_activate_work", "softirq_exit"))).isEmpty();
    assertThat(targets(planner.useless(without("tasklet_entry"))))
        .as("softirq_entry and softirq_raise serve softirqs")
        .containsExactlyInAnyOrder("tasklet_exit", "tasklet_entry");
    assertThat(targets(planner.useless(without("softirq_entry"))))
        .containsExactlyInAnyOrder(
            "tasklet_exit", "tasklet_entry", "softirq_exit", "softirq_entry", "softirq_raise");
  }

  @Test
  void anInlineMixedFastPoolHasNothingToWaitFor() {
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.INLINE)).plan(without());
    assertThat(plan.of(Measurement.FAST_POOL).state()).isEqualTo(State.NOT_APPLICABLE);
    assertThat(plan.of(Measurement.FAST_POOL).notes().get(0)).contains("nothing to wait for");
    assertThat(plan.isComplete()).isTrue();
  }

  @Test
  void aMixingOfUnknownMechanismIsWatchedForBothWays() {
    ProbePlanner planner = planner(Targets.of(FastPoolMechanism.UNKNOWN));
    Planned fastPool = planner.plan(without()).of(Measurement.FAST_POOL);
    assertThat(fastPool.state()).isEqualTo(State.ATTACHED);
    assertThat(fastPool.probes())
        .extracting(status -> status.probe().target())
        .contains("timer_start", "workqueue_queue_work");
    assertThat(fastPool.notes()).singleElement().asString().contains("both watched for");
    assertThat(planner.source(Map.of()).defines())
        .containsKeys("MIX_FUNCTION", "MIX_BY_TIMER", "MIX_BY_WORKQUEUE")
        .doesNotContainKey("MIX_BY_TASKLET");
  }

  @Test
  void aMixingThatCannotBeRecognisedIsMissingWithTheReason() {
    ProbePlan plan = planner(Targets.withMixProblem("addresses are hidden")).plan(without());
    assertThat(plan.of(Measurement.FAST_POOL).state()).isEqualTo(State.MISSING);
    assertThat(plan.of(Measurement.FAST_POOL).notes()).containsExactly("addresses are hidden");
    assertThat(plan.of(Measurement.WORKQUEUE).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void withoutOffsetsOnlyWhatNeedsThemIsMissing() {
    ProbePlanner planner = planner(Targets.withoutLayout(FastPoolMechanism.TIMER));
    ProbePlan plan = planner.plan(without());
    for (Measurement missing : Set.of(Measurement.WORKQUEUE, Measurement.FAST_POOL)) {
      assertThat(plan.of(missing).state()).isEqualTo(State.MISSING);
      assertThat(plan.of(missing).notes()).containsExactly(Targets.NO_LAYOUT);
    }
    assertThat(plan.of(Measurement.SOFTIRQ).state()).isEqualTo(State.ATTACHED);
    assertThat(plan.of(Measurement.TASKLET).state()).isEqualTo(State.ATTACHED);
    assertThat(planner.tracesWorkItems()).isFalse();
    assertThat(targets(planner.probes())).noneMatch(target -> target.startsWith("workqueue"));
  }

  @Test
  void anOffsetThatIsNotKnownLosesOnlyWhatCannotDoWithoutIt() {
    ProbePlan plan =
        planner(
                Targets.lacking(
                    LayoutField.WORK_STRUCT_FUNC_OFFSET,
                    LayoutField.WORK_STRUCT_DATA_OFFSET,
                    LayoutField.WORKQUEUE_STRUCT_NAME_OFFSET))
            .plan(without());
    assertThat(plan.of(Measurement.WORKQUEUE).state()).isEqualTo(State.MISSING);
    assertThat(plan.of(Measurement.WORKQUEUE).notes())
        .singleElement()
        .asString()
        .startsWith(
            "where this kernel keeps work_struct.func, work_struct.data is not known (BTF)");
    assertThat(plan.of(Measurement.FAST_POOL).state()).isEqualTo(State.ATTACHED);
    assertThat(
            planner(
                    Targets.lacking(
                        LayoutField.POOL_WORKQUEUE_WQ_OFFSET,
                        LayoutField.WORKQUEUE_STRUCT_FLAGS_OFFSET))
                .plan(without()))
        .as("kernel headers do not declare these")
        .matches(ProbePlan::isComplete);
  }

  @Test
  void whatNobodyAskedForIsNotPlannedAndNotMissed() {
    ProbePlanner planner =
        new ProbePlanner(
            TraceOptions.of(Set.of(Measurement.SOFTIRQ)), Targets.of(FastPoolMechanism.TIMER));
    ProbePlan plan = planner.plan(without());
    assertThat(plan.of(Measurement.WORKQUEUE).state()).isEqualTo(State.NOT_REQUESTED);
    assertThat(plan.of(Measurement.FAST_POOL).state()).isEqualTo(State.NOT_REQUESTED);
    assertThat(plan.isComplete()).isTrue();
    assertThat(targets(planner.probes()))
        .containsExactly("softirq_exit", "softirq_entry", "softirq_raise");
  }

  @Test
  void thereMayBeNothingToTry() {
    ProbePlanner planner =
        new ProbePlanner(
            TraceOptions.of(Set.of(Measurement.WORKQUEUE)),
            Targets.withoutLayout(FastPoolMechanism.TIMER));
    assertThat(planner.isEmpty()).isTrue();
    assertThat(planner.probes()).isEmpty();
    assertThat(planner(Targets.of(FastPoolMechanism.TIMER)).isEmpty()).isFalse();
  }

  @Test
  void everyWorkClassBelongsToOneMeasurement() {
    for (WorkClass workClass : WorkClass.values()) {
      assertThat(Measurement.values())
          .filteredOn(measurement -> measurement.workClasses().contains(workClass))
          .containsExactly(Measurement.of(workClass));
    }
  }
}
