// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import static io.bhlat.trace.LackingKernel.ABSENT;
import static io.bhlat.trace.LackingKernel.withoutFunctions;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.kernel.LayoutField;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.State;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProbePlannerTest {

  private static ProbePlanner planner(TraceTarget target) {
    return new ProbePlanner(TraceOptions.everything(), target);
  }

  @Test
  void attachesEndsThenStartsThenActivationThenQueueings() {
    LackingKernel kernel = withoutFunctions();
    new ProbePlanner(
            TraceOptions.of(Set.of(Measurement.WORKQUEUE)), Targets.of(FastPoolMechanism.TIMER))
        .attach(kernel);
    assertThat(kernel.attached())
        .containsExactly(
            "raw_tracepoint workqueue_execute_end",
            "raw_tracepoint workqueue_execute_start",
            "raw_tracepoint workqueue_activate_work",
            "raw_tracepoint workqueue_queue_work");
  }

  @Test
  void saysOfEveryWayWhyItDoesNotServe() {
    LackingKernel kernel =
        new LackingKernel("tasklet_entry", "tasklet_exit", "tasklet_clear_sched", "kprobe") {
          @Override
          public Optional<String> attach(Probe probe) {
            return super.attach(probe).map(failure -> "attach " + probe + ": ENOENT");
          }
        };
    Planned tasklet =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel).of(Measurement.TASKLET);
    assertThat(tasklet.state()).isEqualTo(State.MISSING);
    assertThat(tasklet.notes())
        .containsExactly(
            "by the kernel's own start of tasklets: attach raw_tracepoint tasklet_entry: ENOENT;"
                + " attach fentry tasklet_clear_sched: ENOENT; attach kprobe tasklet_clear_sched:"
                + " ENOENT",
            "by the functions that tasklets run: attach kprobe tasklet_callbacks: ENOENT",
            "by the raise of their vector: attach raw_tracepoint tasklet_entry: ENOENT");
    assertThat(kernel.attached()).noneMatch(probe -> probe.contains("tasklet"));
  }

  @Test
  void saysOfAWayThatWasNotTriedWhyNot() {
    Planned tasklet =
        planner(Targets.withoutLayout(FastPoolMechanism.TIMER))
            .attach(withoutFunctions("tasklet_entry"))
            .of(Measurement.TASKLET);
    assertThat(tasklet.state()).isEqualTo(State.MISSING);
    assertThat(tasklet.notes()).containsExactly(Targets.NO_LAYOUT, ABSENT);
  }

  @Test
  void triesNothingMoreOfAWayThatLacksAStart() {
    LackingKernel kernel = new LackingKernel("tasklet_entry", "tasklet_clear_sched");
    planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.tried().stream().map(Probe::program))
        .as("they would count what is not seen to start")
        .doesNotContain("kfunc____tasklet_schedule", "kprobe____tasklet_schedule");
  }

  @Test
  void detachesWhatItTriedInVain() {
    LackingKernel kernel = withoutFunctions();
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(plan.of(Measurement.TASKLET).probes())
        .extracting(status -> status.probe().program())
        .contains("tasklet_entry_after_raise");
    assertThat(kernel.probes().stream().map(Probe::program))
        .doesNotContain("tasklet_entry_after_schedule");
  }

  @Test
  void servesEverythingWhenEveryProbeIsAttached() {
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).attach(withoutFunctions());
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
        planner(Targets.of(FastPoolMechanism.TIMER))
            .attach(withoutFunctions("workqueue_activate_work"));
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
    ProbePlan plan =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(withoutFunctions("tasklet_entry"));
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
    ProbePlan plan =
        planner(Targets.of(FastPoolMechanism.TASKLET)).attach(withoutFunctions("softirq_raise"));
    assertThat(plan.measurements())
        .filteredOn(planned -> planned.state() == State.MISSING)
        .extracting(Planned::measurement)
        .containsExactly(Measurement.FAST_POOL, Measurement.TASKLET, Measurement.SOFTIRQ);
    assertThat(plan.countsQueued(WorkClass.SOFTIRQ)).isFalse();
    assertThat(plan.of(Measurement.WORKQUEUE).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void detachesJustTheProbesThatNoMeasurementCanUse() {
    LackingKernel kernel = withoutFunctions("tasklet_entry");
    planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.attached())
        .as("softirq_entry and softirq_raise serve softirqs")
        .contains("raw_tracepoint softirq_entry", "raw_tracepoint softirq_raise")
        .doesNotContain("raw_tracepoint tasklet_exit");
    LackingKernel without = withoutFunctions("softirq_entry");
    planner(Targets.of(FastPoolMechanism.TIMER)).attach(without);
    assertThat(without.attached()).noneMatch(probe -> probe.matches(".*(tasklet|softirq).*"));
  }

  @Test
  void withoutOffsetsOnlyWhatNeedsThemIsMissing() {
    ProbePlanner planner = planner(Targets.withoutLayout(FastPoolMechanism.TIMER));
    LackingKernel kernel = withoutFunctions();
    ProbePlan plan = planner.attach(kernel);
    for (Measurement missing : Set.of(Measurement.WORKQUEUE, Measurement.FAST_POOL)) {
      assertThat(plan.of(missing).state()).isEqualTo(State.MISSING);
      assertThat(plan.of(missing).notes()).containsExactly(Targets.NO_LAYOUT);
    }
    assertThat(plan.of(Measurement.SOFTIRQ).state()).isEqualTo(State.ATTACHED);
    assertThat(plan.of(Measurement.TASKLET).state()).isEqualTo(State.ATTACHED);
    assertThat(planner.compiles("workqueue.c")).isFalse();
    assertThat(kernel.attached()).noneMatch(probe -> probe.contains("workqueue_execute"));
  }

  @Test
  void anOffsetThatIsNotKnownLosesOnlyWhatCannotDoWithoutIt() {
    ProbePlan plan =
        planner(
                Targets.lacking(
                    LayoutField.WORK_STRUCT_FUNC_OFFSET,
                    LayoutField.WORK_STRUCT_DATA_OFFSET,
                    LayoutField.WORKQUEUE_STRUCT_NAME_OFFSET))
            .attach(withoutFunctions());
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
                .attach(withoutFunctions()))
        .as("kernel headers do not declare these")
        .matches(ProbePlan::isComplete);
  }

  @Test
  void whatNobodyAskedForIsNotPlannedAndNotMissed() {
    ProbePlanner planner =
        new ProbePlanner(
            TraceOptions.of(Set.of(Measurement.SOFTIRQ)), Targets.of(FastPoolMechanism.TIMER));
    LackingKernel kernel = withoutFunctions();
    ProbePlan plan = planner.attach(kernel);
    assertThat(plan.of(Measurement.WORKQUEUE).state()).isEqualTo(State.NOT_REQUESTED);
    assertThat(plan.of(Measurement.FAST_POOL).state()).isEqualTo(State.NOT_REQUESTED);
    assertThat(plan.isComplete()).isTrue();
    assertThat(kernel.attached())
        .containsExactly(
            "raw_tracepoint softirq_exit",
            "raw_tracepoint softirq_entry",
            "raw_tracepoint cpuhp_enter",
            "raw_tracepoint cpuhp_exit",
            "raw_tracepoint softirq_raise");
  }

  @Test
  void thereMayBeNothingToTry() {
    ProbePlanner planner =
        new ProbePlanner(
            TraceOptions.of(Set.of(Measurement.WORKQUEUE)),
            Targets.withoutLayout(FastPoolMechanism.TIMER));
    LackingKernel kernel = new LackingKernel();
    assertThat(planner.attach(kernel).isComplete()).isFalse();
    assertThat(kernel.tried()).isEmpty();
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
