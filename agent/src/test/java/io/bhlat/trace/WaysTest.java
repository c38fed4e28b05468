// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import static io.bhlat.trace.LackingKernel.ABSENT;
import static io.bhlat.trace.LackingKernel.withoutFunctions;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which way serves a measurement on which kernel. */
class WaysTest {

  private static ProbePlanner planner(TraceTarget target) {
    return new ProbePlanner(TraceOptions.everything(), target);
  }

  @ParameterizedTest
  @EnumSource(
      value = FastPoolMechanism.class,
      names = {"WORKQUEUE", "TASKLET"})
  void aFastPoolMixedByWorkThatIsTracedAnywayNeedsNoProbeOfItsOwn(FastPoolMechanism mechanism) {
    LackingKernel kernel = withoutFunctions();
    ProbePlan plan = planner(Targets.of(mechanism)).attach(kernel);
    assertThat(kernel.attached())
        .as("4 of work items, 2 of tasklets, 3 of softirqs, 2 of CPUs that go offline, 2 of calls")
        .hasSize(13);
    assertThat(plan.of(Measurement.FAST_POOL).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void triesOnlyTheWaysToAttachThatAreAllowed() {
    LackingKernel kernel = new LackingKernel();
    TraceOptions options =
        TraceOptions.everything()
            .withProbeKinds(Set.of(ProbeKind.RAW_TRACEPOINT, ProbeKind.KPROBE));
    ProbePlan plan = new ProbePlanner(options, Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.attached())
        .contains("kprobe __tasklet_schedule")
        .noneMatch(probe -> probe.startsWith("fentry"));
    assertThat(plan.of(Measurement.TASKLET).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void takesFunctionsWhereTheyCanBeProbedAndPrefersFentry() {
    LackingKernel kernel = new LackingKernel();
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.attached())
        .contains(
            "fentry __tasklet_schedule",
            "fentry __tasklet_hi_schedule",
            "raw_tracepoint tasklet_entry")
        .noneMatch(probe -> probe.startsWith("kprobe"));
    assertThat(plan.countsQueued(WorkClass.TASKLET)).isTrue();
    assertThat(plan.of(Measurement.TASKLET).notes()).isEmpty();
  }

  @Test
  void takesKprobesWhereFentryIsRefused() {
    LackingKernel kernel = new LackingKernel("fentry");
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.attached())
        .contains("kprobe __tasklet_schedule", "kprobe __tasklet_hi_schedule");
    assertThat(plan.of(Measurement.TASKLET).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void recognisesTheMixingByNestingWhereFunctionsCanBeProbed() {
    LackingKernel kernel = new LackingKernel();
    ProbePlanner planner =
        new ProbePlanner(
            TraceOptions.of(Set.of(Measurement.FAST_POOL)), Targets.withMixProblem("hidden"));
    Planned fastPool = planner.attach(kernel).of(Measurement.FAST_POOL);
    assertThat(fastPool.state()).as("needs no symbol").isEqualTo(State.ATTACHED);
    assertThat(kernel.attached())
        .as("whatever mixes: a live patch may bring another way")
        .contains(
            "fentry add_interrupt_randomness",
            "fexit add_interrupt_randomness",
            "raw_tracepoint timer_start",
            "raw_tracepoint workqueue_queue_work",
            "fentry __tasklet_hi_schedule");
  }

  @Test
  void aMechanismThatThisKernelDoesNotHaveIsNotMissed() {
    LackingKernel kernel =
        new LackingKernel("tasklet_entry", "tasklet_clear_sched", "tasklet_exit");
    Planned fastPool =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel).of(Measurement.FAST_POOL);
    assertThat(fastPool.state()).isEqualTo(State.ATTACHED);
    assertThat(fastPool.notes()).isEmpty();
  }

  @Test
  void callsAreSeenAtTheReturnOfTheFunctionElseByKprobesElseByTracepoints() {
    TraceOptions options = TraceOptions.of(Set.of(Measurement.QUEUE_WORK_ON));
    TraceTarget target = Targets.of(FastPoolMechanism.TIMER);
    LackingKernel fexit = new LackingKernel();
    LackingKernel kprobes = new LackingKernel("fentry", "fexit");
    LackingKernel tracepoints = withoutFunctions();
    for (LackingKernel kernel : List.of(fexit, kprobes, tracepoints)) {
      assertThat(new ProbePlanner(options, target).attach(kernel).isComplete()).isTrue();
    }
    assertThat(fexit.attached()).containsExactly("fexit queue_work_on");
    assertThat(kprobes.attached())
        .containsExactly("kretprobe queue_work_on", "kprobe queue_work_on");
    assertThat(tracepoints.attached()).containsExactly("raw_tracepoint workqueue_queue_work");
  }

  @Test
  void seesTaskletsStartByTheirFunctionWhereTheTracepointIsMissing() {
    LackingKernel kernel = new LackingKernel("tasklet_entry", "tasklet_exit");
    Planned tasklet =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel).of(Measurement.TASKLET);
    assertThat(kernel.attached()).contains("fentry tasklet_clear_sched");
    assertThat(tasklet.state()).isEqualTo(State.PARTIAL);
    assertThat(tasklet.countsQueued()).isTrue();
    assertThat(tasklet.notes()).containsExactly("service time is not measured: " + ABSENT);
  }

  @Test
  void seesTaskletsStartByWhatTheyRunWhereTheKernelDoesNotSay() {
    LackingKernel kernel =
        new LackingKernel("tasklet_entry", "tasklet_exit", "tasklet_clear_sched");
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.probes().stream().map(Probe::program).filter(name -> name.contains("sched")))
        .as("only programs that know whether a function is probed")
        .containsExactly("fentry_tasklet_schedule", "fentry_tasklet_hi_schedule");
    assertThat(kernel.attached())
        .containsSubsequence(
            "kretprobe " + Probe.CALLBACKS,
            "kprobe " + Probe.CALLBACKS,
            "raw_tracepoint module_free",
            "fentry __tasklet_schedule");
    assertThat(plan.of(Measurement.TASKLET).state()).isEqualTo(State.ATTACHED);
    assertThat(plan.countsQueued(WorkClass.HI_TASKLET)).isTrue();
    assertThat(plan.of(Measurement.TASKLET).notes())
        .singleElement()
        .asString()
        .contains("lost as start_missed");
  }

  @Test
  void doesWithoutTheEndsOfTaskletsWhereReturnsCannotBeProbed() {
    LackingKernel kernel =
        new LackingKernel("tasklet_entry", "tasklet_exit", "tasklet_clear_sched", "kretprobe");
    Planned tasklet =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel).of(Measurement.TASKLET);
    assertThat(tasklet.state()).isEqualTo(State.PARTIAL);
    assertThat(tasklet.notes()).contains("service time is not measured: " + ABSENT);
  }

  @Test
  void theMixingsTaskletsAreSeenThatWayTooAndNoOtherProgramCountsThem() {
    LackingKernel kernel =
        new LackingKernel("tasklet_entry", "tasklet_exit", "tasklet_clear_sched");
    Planned fastPool =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel).of(Measurement.FAST_POOL);
    assertThat(fastPool.state()).isEqualTo(State.ATTACHED);
    assertThat(fastPool.probes())
        .extracting(status -> status.probe().program())
        .contains(
            "fentry_tasklet_hi_schedule", "kprobe_tasklet_callback", "raw_tracepoint__timer_start");
    assertThat(
            kernel.probes().stream().filter(probe -> probe.target().equals("__tasklet_schedule")))
        .as("one program for one queueing")
        .hasSize(1);
  }

  @Test
  void anInlineMixedFastPoolHasNothingToWaitFor() {
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.INLINE)).attach(withoutFunctions());
    assertThat(plan.of(Measurement.FAST_POOL).state()).isEqualTo(State.NOT_APPLICABLE);
    assertThat(plan.of(Measurement.FAST_POOL).notes().get(0)).contains("nothing to wait for");
    assertThat(plan.isComplete()).isTrue();
  }

  @Test
  void aMixingOfUnknownMechanismIsWatchedForBothWays() {
    ProbePlanner planner = planner(Targets.of(FastPoolMechanism.UNKNOWN));
    Planned fastPool = planner.attach(withoutFunctions()).of(Measurement.FAST_POOL);
    assertThat(fastPool.state()).isEqualTo(State.ATTACHED);
    assertThat(fastPool.probes())
        .extracting(status -> status.probe().target())
        .contains("timer_start", "workqueue_queue_work");
    assertThat(fastPool.notes()).singleElement().asString().contains("both watched for");
    assertThat(planner.source(Map.of()).defines()).containsKey("MIX_FUNCTION");
  }

  @Test
  void aMixingThatCannotBeRecognisedIsMissingWithTheReason() {
    ProbePlan plan =
        planner(Targets.withMixProblem("addresses are hidden")).attach(withoutFunctions());
    assertThat(plan.of(Measurement.FAST_POOL).state()).isEqualTo(State.MISSING);
    assertThat(plan.of(Measurement.FAST_POOL).notes())
        .startsWith("addresses are hidden")
        .anyMatch(note -> note.contains(ABSENT));
    assertThat(plan.of(Measurement.WORKQUEUE).state()).isEqualTo(State.ATTACHED);
  }
}
