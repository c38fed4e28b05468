// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.LayoutField;
import io.bhlat.linux.FileDescriptor;
import io.bhlat.linux.Libc;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.Snapshot;
import io.bhlat.model.WorkClass;
import io.bhlat.testing.ThisHost;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.TraceOptions;
import io.bhlat.trace.TraceTarget;
import io.bhlat.trace.bcc.HandOver.Failure;
import io.bhlat.trace.bcc.HandOver.HeldProbe;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class HandOverTest {

  private static final TraceTarget TARGET =
      new TraceTarget(
          CpuSet.parse("0-3,8"),
          true,
          Optional.of(
              new KernelLayout(
                  KernelLayout.Source.BTF, Map.of(LayoutField.WORK_STRUCT_FUNC_OFFSET, 24))),
          "none",
          FastPoolMechanism.TASKLET,
          OptionalLong.of(0xffffffff81000000L),
          "",
          OptionalLong.empty(),
          OptionalInt.of(2));

  private static final HandOver EXAMPLE =
      new HandOver(
          "1.2",
          Instant.ofEpochSecond(1_700_000_000, 123_456_789),
          TARGET,
          Map.of("cpu_counts", 7, "pending", 9),
          List.of(
              new HeldProbe(
                  new Probe(ProbeKind.FENTRY, "queue_work_on", "kfunc__queue_work_on"),
                  Optional.of(new Failure(BpfException.Kind.UNSUPPORTED, "load: EINVAL; none")),
                  -1,
                  Map.of()),
              new HeldProbe(
                  new Probe(ProbeKind.RAW_TRACEPOINT, "softirq_raise", "raise"),
                  Optional.empty(),
                  11,
                  Map.of(Link.ONLY, 12)),
              new HeldProbe(
                  new Probe(ProbeKind.KPROBE, Probe.CALLBACKS, "start"),
                  Optional.empty(),
                  13,
                  Map.of(0xffffffff81000100L, 14, 0xffffffffc0301000L, 15))));

  @Test
  void isReadBackAsItWasWritten() {
    assertThat(HandOver.decode(EXAMPLE.encode(), "1.2")).isEqualTo(EXAMPLE);
    assertThat(EXAMPLE.descriptors()).containsExactlyInAnyOrder(7, 9, 11, 12, 13, 14, 15);
  }

  @Test
  void refusesWhatIsDamagedOrOfAnotherBuild() {
    byte[] whole = EXAMPLE.encode();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatIllegalArgumentException().isThrownBy(() -> HandOver.decode(part, "1.2"));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HandOver.decode(whole, "1.3"))
        .withMessage("it is of bhlat 1.2, this is 1.3");
  }

  /** Both images in one process: the second gets duplicates, as exec would leave the same ones. */
  @Test
  void countingGoesOnWhereItWasAndWithTheSamePlan() throws Exception {
    RealKernel.assume();
    try (LiveSource first = LiveKernel.open(TraceOptions.everything())) {
      Snapshot before = first.snapshot();
      HandOver handOver = HandOver.decode(duplicated(first.handOver("1")).encode(), "1");
      try (LiveSource second =
          LiveSource.takeOver(TraceOptions.everything(), new ThisHost(), handOver)) {
        first.close();
        Thread.sleep(200);
        Snapshot after = second.snapshot();
        assertThat(second.plan()).isEqualTo(first.plan());
        assertThat(after.attachedAt()).isEqualTo(before.attachedAt());
        for (WorkClass workClass : List.of(WorkClass.SOFTIRQ, WorkClass.WORKQUEUE)) {
          assertThat(after.counts().total(workClass).started())
              .as(workClass.label())
              .isGreaterThan(before.counts().total(workClass).started());
        }
        assertThat(after.counts().functions().keySet())
            .containsAll(before.counts().functions().keySet());
        second.detach();
      }
    }
  }

  private static HandOver duplicated(HandOver handOver) {
    Map<String, Integer> maps = new TreeMap<>(handOver.maps());
    maps.replaceAll((name, number) -> duplicate(number));
    List<HeldProbe> probes =
        handOver.probes().stream()
            .map(
                held -> {
                  Map<Long, Integer> links = new TreeMap<>(held.links());
                  links.replaceAll((of, number) -> duplicate(number));
                  return new HeldProbe(
                      held.probe(),
                      held.failure(),
                      held.failure().isPresent() ? -1 : duplicate(held.program()),
                      links);
                })
            .toList();
    return new HandOver(handOver.build(), handOver.attachedAt(), handOver.target(), maps, probes);
  }

  private static int duplicate(int number) {
    FileDescriptor copy = new FileDescriptor(Libc.fcntl(number, Libc.F_DUPFD_CLOEXEC, 3));
    assertThat(copy.number()).isPositive();
    return copy.number();
  }
}
