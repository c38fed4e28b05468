// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.kernel.Interrupt;
import io.bhlat.kernel.InterruptTable;
import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.Snapshot;
import io.bhlat.model.SoftirqVector;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.testing.KernelLoad;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.TraceOptions;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of the functions that queue, and contexts, on the running kernel. */
class LiveCallsTest {

  private static final long LOAD_MS = 2_000;

  @BeforeEach
  void needsTheKernel() {
    RealKernel.assume();
  }

  /** The kernel's own counts of interrupts, before and after a snapshot. */
  private record Window(Map<Integer, Long> before, Snapshot snapshot, Map<Integer, Long> after) {

    static Window read(LiveSource source) {
      return new Window(interrupts(), source.snapshot(), interrupts());
    }

    private static Map<Integer, Long> interrupts() {
      Map<Integer, Long> counts = new TreeMap<>();
      for (Interrupt interrupt : InterruptTable.read(LiveKernel.HOST).interrupts()) {
        interrupt.number().ifPresent(number -> counts.put(number, interrupt.total()));
      }
      return counts;
    }
  }

  private static CallCounts calls(Window first, Window last) {
    return last.snapshot.since(first.snapshot).counts().calls();
  }

  @Test
  void countsTheInterruptsOfDevicesAsProcInterruptsDoes() throws Exception {
    TraceOptions options = TraceOptions.of(EnumSet.of(Measurement.INTERRUPT_RANDOMNESS));
    try (LiveSource source = LiveKernel.open(options);
        KernelLoad load = KernelLoad.start()) {
      Window first = Window.read(source);
      Thread.sleep(LOAD_MS);
      Window last = Window.read(source);
      Map<Integer, InterruptCalls> counted = new TreeMap<>();
      calls(first, last)
          .interrupts()
          .forEach((key, calls) -> counted.merge(key.irq(), calls, InterruptCalls::plus));
      assertThat(counted.values()).as("the disk's at least").anyMatch(calls -> calls.calls() > 10);
      counted.forEach(
          (irq, calls) ->
              assertThat(calls.calls())
                  .as("interrupt %d", irq)
                  .isBetween(
                      last.before.getOrDefault(irq, 0L) - first.after.getOrDefault(irq, 0L),
                      last.after.getOrDefault(irq, 0L) - first.before.getOrDefault(irq, 0L)));
      assertThat(last.snapshot.counts().calls().interrupts().keySet())
          .anySatisfy(key -> assertThat(key.device()).isNotEmpty());
    }
  }

  @Test
  void countsQueueingsWhereFunctionsCannotBeProbed() throws Exception {
    TraceOptions options =
        TraceOptions.of(EnumSet.of(Measurement.QUEUE_WORK_ON, Measurement.WORKQUEUE));
    try (LiveSource source = LiveKernel.open(options);
        KernelLoad load = KernelLoad.start()) {
      Thread.sleep(LOAD_MS);
      Counts counts = source.snapshot().counts();
      long queueings =
          counts.calls().queueWorkOn().values().stream().mapToLong(Long::longValue).sum();
      assertThat(queueings).isPositive();
      if (!source.plan().probesFunctions(Measurement.QUEUE_WORK_ON)) {
        long queued =
            counts.total(WorkClass.WORKQUEUE).plus(counts.total(WorkClass.BH_WORKQUEUE)).queued();
        assertThat(queueings)
            .as("by the same tracepoint, read a little later")
            .isBetween(queued, queued + queued / 10 + 100);
      }
    }
  }

  @Test
  void tellsTheContextOfEverySoftirq() throws Exception {
    TraceOptions options = TraceOptions.of(EnumSet.of(Measurement.SOFTIRQ));
    try (LiveSource source = LiveKernel.open(options);
        KernelLoad load = KernelLoad.start()) {
      Thread.sleep(LOAD_MS);
      Counts counts = source.snapshot().counts();
      for (SoftirqVector vector : SoftirqVector.values()) {
        WorkCounts total = counts.total(WorkKey.of(vector));
        assertThat(
                total.queueLatencyIn().values().stream().mapToLong(LatencyHistogram::count).sum())
            .as("%s in all contexts", vector)
            .isEqualTo(total.started());
      }
      assertThat(counts.total(WorkKey.of(SoftirqVector.NET_RX)).started()).isPositive();
    }
  }
}
