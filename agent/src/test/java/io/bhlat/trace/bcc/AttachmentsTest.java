// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.FastPoolMechanism;
import io.bhlat.testing.ThisHost;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlanner;
import io.bhlat.trace.Targets;
import io.bhlat.trace.TraceOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that are loaded and attached for real, and that nothing is left of them. */
class AttachmentsTest {

  private static final TraceOptions SOFTIRQS = TraceOptions.of(Set.of(Measurement.SOFTIRQ));

  @BeforeEach
  void needsTheKernel() {
    RealKernel.assume();
  }

  private static ProbePlanner planner() {
    return new ProbePlanner(SOFTIRQS, Targets.of(FastPoolMechanism.TIMER));
  }

  private static BccModule compile(ProbePlanner planner) throws BpfException {
    return RealKernel.compile(planner.source(CountsLayout.defines()));
  }

  private static final List<Probe> PROBES =
      Stream.of("softirq_exit", "softirq_entry", "softirq_raise")
          .map(name -> new Probe(ProbeKind.RAW_TRACEPOINT, name, "raw_tracepoint__" + name))
          .toList();

  @Test
  void aProbeThatFailsStopsNoOther() throws BpfException {
    Probe missing = new Probe(ProbeKind.RAW_TRACEPOINT, "none", PROBES.get(0).program());
    try (BccModule module = compile(planner());
        Attachments attachments = new Attachments(new CompiledPrograms(module))) {
      assertThat(attachments.attach(missing))
          .hasValueSatisfying(failure -> assertThat(failure).contains("none: ENOENT"));
      assertThat(PROBES).allSatisfy(probe -> assertThat(attachments.attach(probe)).isEmpty());
      assertThat(attachments.failureOf(missing)).isPresent();
      assertThat(attachments.failureOf(PROBES.get(0))).isEmpty();
      assertThat(RealKernel.programIds()).hasSize(3);
    }
  }

  @Test
  void detachingSomeLeavesTheOthers() throws BpfException {
    try (BccModule module = compile(planner());
        Attachments attachments = new Attachments(new CompiledPrograms(module))) {
      PROBES.forEach(attachments::attach);
      attachments.detach(PROBES.get(0));
      attachments.detach(PROBES.get(0));
      assertThat(RealKernel.programIds()).hasSize(2);
      attachments.close();
      assertThat(RealKernel.programIds()).isEmpty();
    }
  }

  @Test
  void closingLeavesNoDescriptorAndNoProgramInTheKernel() throws Exception {
    List<String> before = RealKernel.openBpfDescriptors();
    LiveSource source =
        LiveSource.open(SOFTIRQS, Targets.of(FastPoolMechanism.TIMER), new ThisHost());
    List<Integer> programs = RealKernel.programIds();
    assertThat(programs).hasSize(5).allMatch(RealKernel::hasProgram);
    source.snapshot();
    source.close();
    source.close();
    assertThat(RealKernel.openBpfDescriptors()).isEqualTo(before);
    // The kernel frees a program once no CPU can be running it any more.
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (programs.stream().anyMatch(RealKernel::hasProgram) && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    assertThat(programs).noneMatch(RealKernel::hasProgram);
  }

  /** Also the mechanisms that this kernel does not have: their programs must pass its verifier. */
  @ParameterizedTest
  @EnumSource(FastPoolMechanism.class)
  void everyProgramOfEveryMechanismIsLoaded(FastPoolMechanism mechanism) throws BpfException {
    ProbePlanner planner = new ProbePlanner(TraceOptions.everything(), Targets.of(mechanism));
    loadAll(planner);
  }

  @ParameterizedTest
  @EnumSource(Measurement.class)
  void everyMeasurementCanBeCompiledWithoutTheOthersAndWithoutFunctions(Measurement measurement)
      throws BpfException {
    TraceOptions options = TraceOptions.of(EnumSet.of(measurement)).withoutFunctions();
    loadAll(new ProbePlanner(options, Targets.of(FastPoolMechanism.TIMER)));
  }

  /**
   * Loads every program that this kernel can load; where functions cannot be probed, the others.
   */
  private static void loadAll(ProbePlanner planner) throws BpfException {
    try (BccModule module = compile(planner)) {
      List<String> failures = new ArrayList<>();
      planner.attach(
          new ProbePlanner.Attacher() {
            @Override
            public Optional<String> attach(Probe probe) {
              try {
                module.load(probe.kind(), probe.program()).close();
                return Optional.empty();
              } catch (BpfException e) {
                if (probe.kind() == ProbeKind.RAW_TRACEPOINT) {
                  failures.add(e.getMessage() + e.details());
                }
                return Optional.of(String.valueOf(e.getMessage()));
              }
            }

            @Override
            public void detach(Probe probe) {}
          });
      assertThat(failures).isEmpty();
    }
  }
}
