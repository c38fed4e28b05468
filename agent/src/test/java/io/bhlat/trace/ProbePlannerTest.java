// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.kernel.LayoutField;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.State;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProbePlannerTest {

  private static final String ABSENT = "attach: ENOENT; this kernel does not have it";

  private static ProbePlanner planner(TraceTarget target) {
    return new ProbePlanner(TraceOptions.everything(), target);
  }

  /** A kernel that lacks some targets, and the order in which probes came and went. */
  private static class Kernel implements ProbePlanner.Attacher {
    private final Set<String> lacking;
    private final List<Probe> tried = new ArrayList<>();
    private final Set<Probe> attached = new LinkedHashSet<>();

    Kernel(String... lacking) {
      this.lacking = Set.of(lacking);
    }

    @Override
    public Optional<String> attach(Probe probe) {
      assertThat(tried).as("each probe is tried once").doesNotContain(probe);
      tried.add(probe);
      if (lacking.contains(probe.target()) || lacking.contains(probe.kind().label())) {
        return Optional.of(ABSENT);
      }
      attached.add(probe);
      return Optional.empty();
    }

    @Override
    public void detach(Probe probe) {
      assertThat(attached.remove(probe)).as("%s was attached", probe).isTrue();
    }

    List<String> attached() {
      return attached.stream().map(Probe::toString).toList();
    }
  }

  /** Functions cannot be probed. */
  private static Kernel withoutFunctions(String... lacking) {
    return new Kernel(
        Stream.concat(Stream.of(lacking), Stream.of("fentry", "fexit", "kprobe", "kretprobe"))
            .toArray(String[]::new));
  }

  @Test
  void attachesEndsThenStartsThenActivationThenQueueings() {
    Kernel kernel = withoutFunctions();
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

  @ParameterizedTest
  @EnumSource(
      value = FastPoolMechanism.class,
      names = {"WORKQUEUE", "TASKLET"})
  void aFastPoolMixedByWorkThatIsTracedAnywayNeedsNoProbeOfItsOwn(FastPoolMechanism mechanism) {
    Kernel kernel = withoutFunctions();
    ProbePlan plan = planner(Targets.of(mechanism)).attach(kernel);
    assertThat(kernel.attached())
        .as("4 of work items, 2 of tasklets, 3 of softirqs, 2 of CPUs that go offline, 2 of calls")
        .hasSize(13);
    assertThat(plan.of(Measurement.FAST_POOL).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void triesOnlyTheWaysToAttachThatAreAllowed() {
    Kernel kernel = new Kernel();
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
    Kernel kernel = new Kernel();
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
    Kernel kernel = new Kernel("fentry");
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.attached())
        .contains("kprobe __tasklet_schedule", "kprobe __tasklet_hi_schedule");
    assertThat(plan.of(Measurement.TASKLET).state()).isEqualTo(State.ATTACHED);
  }

  @Test
  void recognisesTheMixingByNestingWhereFunctionsCanBeProbed() {
    Kernel kernel = new Kernel();
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
    Kernel kernel = new Kernel("tasklet_entry", "tasklet_clear_sched", "tasklet_exit");
    Planned fastPool =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel).of(Measurement.FAST_POOL);
    assertThat(fastPool.state()).isEqualTo(State.ATTACHED);
    assertThat(fastPool.notes()).isEmpty();
  }

  @Test
  void callsAreSeenAtTheReturnOfTheFunctionElseByKprobesElseByTracepoints() {
    TraceOptions options = TraceOptions.of(Set.of(Measurement.QUEUE_WORK_ON));
    TraceTarget target = Targets.of(FastPoolMechanism.TIMER);
    Kernel fexit = new Kernel();
    Kernel kprobes = new Kernel("fentry", "fexit");
    Kernel tracepoints = withoutFunctions();
    for (Kernel kernel : List.of(fexit, kprobes, tracepoints)) {
      assertThat(new ProbePlanner(options, target).attach(kernel).isComplete()).isTrue();
    }
    assertThat(fexit.attached()).containsExactly("fexit queue_work_on");
    assertThat(kprobes.attached())
        .containsExactly("kretprobe queue_work_on", "kprobe queue_work_on");
    assertThat(tracepoints.attached()).containsExactly("raw_tracepoint workqueue_queue_work");
  }

  @Test
  void seesTaskletsStartByTheirFunctionWhereTheTracepointIsMissing() {
    Kernel kernel = new Kernel("tasklet_entry", "tasklet_exit");
    Planned tasklet =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel).of(Measurement.TASKLET);
    assertThat(kernel.attached()).contains("fentry tasklet_clear_sched");
    assertThat(tasklet.state()).isEqualTo(State.PARTIAL);
    assertThat(tasklet.countsQueued()).isTrue();
    assertThat(tasklet.notes()).containsExactly("service time is not measured: " + ABSENT);
  }

  @Test
  void seesTaskletsStartByWhatTheyRunWhereTheKernelDoesNotSay() {
    Kernel kernel = new Kernel("tasklet_entry", "tasklet_exit", "tasklet_clear_sched");
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.attached.stream().map(Probe::program).filter(name -> name.contains("sched")))
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
    Kernel kernel = new Kernel("tasklet_entry", "tasklet_exit", "tasklet_clear_sched", "kretprobe");
    Planned tasklet =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel).of(Measurement.TASKLET);
    assertThat(tasklet.state()).isEqualTo(State.PARTIAL);
    assertThat(tasklet.notes()).contains("service time is not measured: " + ABSENT);
  }

  @Test
  void saysOfEveryWayWhyItDoesNotServe() {
    Kernel kernel =
        new Kernel("tasklet_entry", "tasklet_exit", "tasklet_clear_sched", "kprobe") {
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
  void theMixingsTaskletsAreSeenThatWayTooAndNoOtherProgramCountsThem() {
    Kernel kernel = new Kernel("tasklet_entry", "tasklet_exit", "tasklet_clear_sched");
    Planned fastPool =
        planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel).of(Measurement.FAST_POOL);
    assertThat(fastPool.state()).isEqualTo(State.ATTACHED);
    assertThat(fastPool.probes())
        .extracting(status -> status.probe().program())
        .contains(
            "fentry_tasklet_hi_schedule", "kprobe_tasklet_callback", "raw_tracepoint__timer_start");
    assertThat(
            kernel.attached.stream().filter(probe -> probe.target().equals("__tasklet_schedule")))
        .as("one program for one queueing")
        .hasSize(1);
  }

  @Test
  void triesNothingMoreOfAWayThatLacksAStart() {
    Kernel kernel = new Kernel("tasklet_entry", "tasklet_clear_sched");
    planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.tried.stream().map(Probe::program))
        .as("they would count what is not seen to start")
        .doesNotContain("kfunc____tasklet_schedule", "kprobe____tasklet_schedule");
  }

  @Test
  void detachesWhatItTriedInVain() {
    Kernel kernel = withoutFunctions();
    ProbePlan plan = planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(plan.of(Measurement.TASKLET).probes())
        .extracting(status -> status.probe().program())
        .contains("tasklet_entry_after_raise");
    assertThat(kernel.attached.stream().map(Probe::program))
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
    Kernel kernel = withoutFunctions("tasklet_entry");
    planner(Targets.of(FastPoolMechanism.TIMER)).attach(kernel);
    assertThat(kernel.attached())
        .as("softirq_entry and softirq_raise serve softirqs")
        .contains("raw_tracepoint softirq_entry", "raw_tracepoint softirq_raise")
        .doesNotContain("raw_tracepoint tasklet_exit");
    Kernel without = withoutFunctions("softirq_entry");
    planner(Targets.of(FastPoolMechanism.TIMER)).attach(without);
    assertThat(without.attached()).noneMatch(probe -> probe.matches(".*(tasklet|softirq).*"));
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

  @Test
  void withoutOffsetsOnlyWhatNeedsThemIsMissing() {
    ProbePlanner planner = planner(Targets.withoutLayout(FastPoolMechanism.TIMER));
    Kernel kernel = withoutFunctions();
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
    Kernel kernel = withoutFunctions();
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
    Kernel kernel = new Kernel();
    assertThat(planner.attach(kernel).isComplete()).isFalse();
    assertThat(kernel.tried).isEmpty();
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
