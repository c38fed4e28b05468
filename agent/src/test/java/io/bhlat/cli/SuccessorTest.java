// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.kernel.Capabilities;
import io.bhlat.kernel.Capability;
import io.bhlat.kernel.KernelRelease;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbePlan.State;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the second start of the daemon is given and what it keeps. */
final class SuccessorTest {

  private static final KernelRelease OLD = KernelRelease.of("5.14.0-427.el9.x86_64", "#1 SMP");
  private static final KernelRelease NEW = KernelRelease.of("6.1.0-25-amd64", "#1 SMP");
  private static final Capabilities ALL = new Capabilities(-1L, 40);

  private static ProbePlan plan(String target) {
    ProbeStatus attached =
        new ProbeStatus(new Probe(ProbeKind.KPROBE, target, "start"), Optional.empty());
    return new ProbePlan(
        FastPoolMechanism.TIMER,
        List.of(
            new Planned(Measurement.TASKLET, State.ATTACHED, List.of(attached), true, List.of())));
  }

  @Test
  void onlyTheLaunchersOwnLimitOfTheHeapIsReplaced() {
    assertThat(
            Successor.withHeap(
                List.of("java", "-Dx=y", "-Xmx64m", "-Xmx99m", "-jar", "b.jar", "serve", "-Xmx1m"),
                20))
        .containsExactly("java", "-Dx=y", "-Xmx20m", "-Xmx99m", "-jar", "b.jar", "serve", "-Xmx1m");
    List<String> none = List.of("java", "-jar", "b.jar", "serve", "-Xmx1m");
    assertThat(Successor.withHeap(none, 20)).isEqualTo(none);
  }

  @Test
  void keepsWhatReadingTakesOnEachKernel() {
    ProbePlan fixed = plan("softirq_raise");
    assertThat(Successor.needed(fixed, NEW, ALL, false)).containsExactly(Capability.CAP_SYSLOG);
    assertThat(Successor.needed(fixed, OLD, ALL, false))
        .containsExactlyInAnyOrder(Capability.CAP_SYSLOG, Capability.CAP_BPF);
  }

  @Test
  void keepsWhatProbingAsFunctionsAreFoundTakes() {
    assertThat(Successor.needed(plan(Probe.CALLBACKS), NEW, ALL, false))
        .containsExactlyInAnyOrder(Capability.CAP_SYSLOG, Capability.CAP_PERFMON);
  }

  @Test
  void keepsTheOldCapabilityForThatWhereTheKernelAsksForNoLess() {
    assertThat(Successor.needed(plan(Probe.CALLBACKS), NEW, ALL, true))
        .containsExactlyInAnyOrder(Capability.CAP_SYSLOG, Capability.CAP_SYS_ADMIN);
    assertThat(Successor.needed(plan("softirq_raise"), NEW, ALL, true))
        .containsExactly(Capability.CAP_SYSLOG);
  }

  @Test
  void keepsTheOldCapabilityWhereItStandsForThoseThatAreNotHeld() {
    Capabilities admin = new Capabilities(1L << Capability.CAP_SYS_ADMIN.number(), 40);
    assertThat(Successor.needed(plan("softirq_raise"), OLD, admin, false))
        .containsExactlyInAnyOrder(Capability.CAP_SYSLOG, Capability.CAP_SYS_ADMIN);
  }
}
