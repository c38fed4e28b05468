// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bhlat.kernel.HostFiles;
import io.bhlat.linux.FileDescriptor;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbePlan.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SkippedProgramsTest {

  private static final int FAULTS = 1_000;

  /**
   * A program on page faults that makes one: its own event interrupts it. Where the kernel runs it
   * then all the same, it says so and makes no further one.
   */
  private static final String FAULTING =
      """
      BPF_TABLE("percpu_array", u32, u64, running, 1);
      BPF_TABLE("array", u32, u64, interrupted_itself, 1);

      static inline void fault(void)
      {
        u64 value;

        bpf_probe_read_user(&value, sizeof(value), (void *)8);
      }

      RAW_TRACEPOINT_PROBE(fault_once)
      {
        fault();
        return 0;
      }

      RAW_TRACEPOINT_PROBE(page_fault_kernel)
      {
        u32 first = 0;
        u64 *is_running = running.lookup(&first);
        u64 *times = interrupted_itself.lookup(&first);

        if (!is_running || !times)
          return 0;
        if (*is_running) {
          __sync_fetch_and_add(times, 1);
          return 0;
        }
        *is_running = 1;
        fault();
        *is_running = 0;
        return 0;
      }
      """;

  private static final Probe PAGE_FAULT = rawTracepoint("page_fault_kernel");

  private static Probe rawTracepoint(String name) {
    return new Probe(ProbeKind.RAW_TRACEPOINT, name, "raw_tracepoint__" + name);
  }

  private static ProbePlan plan(Measurement measurement, Probe... probes) {
    return new ProbePlan(FastPoolMechanism.WORKQUEUE, List.of(planned(measurement, probes)));
  }

  private static Planned planned(Measurement measurement, Probe... probes) {
    List<ProbeStatus> statuses =
        List.of(probes).stream().map(probe -> new ProbeStatus(probe, Optional.empty())).toList();
    return new Planned(measurement, State.ATTACHED, statuses, true, List.of());
  }

  @Test
  void countsWhatTheKernelSkippedAndKeepsItOnceDetached() throws BpfException {
    RealKernel.assume();
    SkippedPrograms skipped = new SkippedPrograms(HostFiles.ofThisHost());
    ProbePlan plan = plan(Measurement.WORKQUEUE, PAGE_FAULT);
    try (BccModule module = RealKernel.compile(FAULTING);
        Attachments attachments = new Attachments(new CompiledPrograms(module));
        FileDescriptor faultOnce =
            module.load(ProbeKind.RAW_TRACEPOINT, "raw_tracepoint__fault_once")) {
      assumeTrue(
          attachments.attach(PAGE_FAULT).isEmpty(), "the tracepoint page_fault_kernel is x86's");
      FileDescriptor program = requireNonNull(attachments.programs().get(PAGE_FAULT));
      try (RealKernel.Runner runner = new RealKernel.Runner()) {
        for (int i = 0; i < FAULTS; i++) {
          runner.run(faultOnce, 0);
        }
      }
      assumeTrue(
          interruptedItself(module) == 0, "before 6.1, raw tracepoints may interrupt themselves");
      long before = RealKernel.recursionMisses(program);
      skipped.read(attachments.programs());
      long after = RealKernel.recursionMisses(program);

      long counted =
          requireNonNull(skipped.byClass(plan).get(WorkClass.WORKQUEUE))
              .count(LossReason.PROGRAM_SKIPPED);
      assertThat(counted).isBetween(before, after).isGreaterThanOrEqualTo(FAULTS);
      attachments.close();
      skipped.read(attachments.programs());
      assertThat(skipped.byClass(plan))
          .isEqualTo(
              Map.of(WorkClass.WORKQUEUE, LossCounts.of(LossReason.PROGRAM_SKIPPED, counted)));
    }
  }

  private static long interruptedItself(BccModule module) throws BpfException {
    try (BccMap times = module.map("interrupted_itself", Integer.BYTES, Long.BYTES)) {
      return times.entries().get(0).value().getLong(0);
    }
  }

  @Test
  void readsTheCountAmongTheLinesOfAnFdinfo() {
    assertThat(
            SkippedPrograms.parse(
                """
                pos:\t0
                flags:\t02000000
                prog_type:\t17
                run_cnt:\t0
                recursion_misses:\t18446744
                verified_insns:\t33
                """))
        .hasValue(18_446_744);
  }

  @Test
  void knowsNoCountWhereTheKernelDoesNotTell() {
    assertThat(SkippedPrograms.parse("prog_type:\t17\nrun_cnt:\t3")).isEmpty();
    assertThat(SkippedPrograms.parse("")).isEmpty();
  }

  @Test
  void refusesACountThatIsNone() {
    assertThatThrownBy(() -> SkippedPrograms.parse("recursion_misses:\tmany"))
        .isInstanceOf(NumberFormatException.class);
  }

  @Test
  void aProgramThatMeasurementsShareCountsOnceForTheOneItWasMadeFor() {
    Probe queue = rawTracepoint("workqueue_queue_work");
    Probe timer = rawTracepoint("timer_start");
    ProbePlan plan =
        new ProbePlan(
            FastPoolMechanism.UNKNOWN,
            List.of(
                planned(Measurement.FAST_POOL, queue, timer),
                planned(Measurement.WORKQUEUE, queue)));

    assertThat(plan.ownerOf(queue)).contains(Measurement.WORKQUEUE);
    assertThat(plan.ownerOf(timer)).contains(Measurement.FAST_POOL);
    assertThat(plan.ownerOf(PAGE_FAULT)).isEmpty();
  }
}
