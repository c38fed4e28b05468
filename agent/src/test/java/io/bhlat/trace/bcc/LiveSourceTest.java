// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.SoftirqTable;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossReason;
import io.bhlat.model.Snapshot;
import io.bhlat.model.SoftirqVector;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.testing.KernelLoad;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan.State;
import io.bhlat.trace.TraceOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What bhlat counts on the running kernel, against what others count there. */
class LiveSourceTest {

  private static final Duration LOAD_TIME = Duration.ofSeconds(2);

  @BeforeEach
  void needsTheKernel() {
    RealKernel.assume();
  }

  /** Readings of others around each of two snapshots: what happened must lie between them. */
  private record Window(
      Observer.Seen before,
      SoftirqTable procBefore,
      Snapshot snapshot,
      SoftirqTable procAfter,
      Observer.Seen after) {

    static Window read(Observer observer, LiveSource source) throws BpfException {
      Observer.Seen before = observer.read();
      SoftirqTable procBefore = SoftirqTable.read(LiveKernel.HOST);
      Snapshot snapshot = source.snapshot();
      SoftirqTable procAfter = SoftirqTable.read(LiveKernel.HOST);
      return new Window(before, procBefore, snapshot, procAfter, observer.read());
    }
  }

  @Test
  void countsSoftirqEntriesAsProcSoftirqsAndASecondObserverDo() throws Exception {
    try (Observer observer = Observer.attach();
        LiveSource source = LiveKernel.open(TraceOptions.of(EnumSet.of(Measurement.SOFTIRQ)));
        KernelLoad load = KernelLoad.start()) {
      Window first = Window.read(observer, source);
      sleep(LOAD_TIME);
      Window last = Window.read(observer, source);
      Counts grown = last.snapshot.since(first.snapshot).counts();
      for (SoftirqVector vector : SoftirqVector.values()) {
        WorkCounts counts = grown.total(WorkKey.of(vector));
        long entries = counts.started() + counts.lost().count(LossReason.NO_QUEUE_SEEN);
        int number = vector.number();
        assertBetween(
            vector + " entries, second observer",
            entries,
            last.before.softirqEntries(number) - first.after.softirqEntries(number),
            last.after.softirqEntries(number) - first.before.softirqEntries(number));
        long least = total(last.procBefore, vector) - total(first.procAfter, vector);
        assertBetween(
            vector + " entries, /proc/softirqs",
            entries,
            least - withoutTracepoints(least),
            total(last.procAfter, vector) - total(first.procBefore, vector));
      }
      assertThat(grown.total(WorkKey.of(SoftirqVector.NET_RX)).started()).isGreaterThan(1_000);
    }
  }

  /**
   * On the 6.18 kernel that this was written on, /proc/softirqs counts a few runs, one or two a
   * second, that fire none of the tracepoints: a second observer sees them as little.
   */
  private static long withoutTracepoints(long entries) {
    return 20 + entries / 100;
  }

  /** An event that one observer has counted may be on its way to the other, one on each CPU. */
  private static void assertBetween(String what, long counted, long least, long most) {
    int onTheWay = CpuSet.online(LiveKernel.HOST).count();
    assertThat(counted).as(what).isBetween(least - onTheWay, most + onTheWay);
  }

  private static long total(SoftirqTable table, SoftirqVector vector) {
    return table.total(vector.label()).orElse(0);
  }

  @Test
  void countsWorkItemsAsASecondObserverDoes() throws Exception {
    try (Observer observer = Observer.attach();
        LiveSource source = LiveKernel.open(TraceOptions.of(EnumSet.of(Measurement.WORKQUEUE)));
        KernelLoad load = KernelLoad.start()) {
      Window first = Window.read(observer, source);
      sleep(LOAD_TIME);
      Window last = Window.read(observer, source);
      WorkCounts counts = workItems(last.snapshot.since(first.snapshot).counts());
      assertBetween(
          "queued",
          counts.queued(),
          last.before.queued() - first.after.queued(),
          last.after.queued() - first.before.queued());
      assertBetween(
          "starts",
          counts.started() + counts.flushBarriers() + counts.lost().count(LossReason.NO_QUEUE_SEEN),
          last.before.started() - first.after.started(),
          last.after.started() - first.before.started());
      assertBetween(
          "ends, flush barriers by their starts",
          counts.serviceTime().count()
              + counts.flushBarriers()
              + counts.lost().count(LossReason.NO_START_SEEN),
          last.before.ended() - first.after.ended(),
          last.after.ended() - first.before.ended());
      assertThat(counts.started()).isGreaterThan(1_000);
    }
  }

  private static WorkCounts workItems(Counts counts) {
    return counts.total(WorkClass.WORKQUEUE).plus(counts.total(WorkClass.BH_WORKQUEUE));
  }

  @Test
  void balancesItsAccountUnderLoad() throws Exception {
    try (LiveSource source = LiveKernel.open(TraceOptions.everything())) {
      Snapshot last = measureUnderLoad(source);
      Counts counts = last.counts();
      assertBalanced(source, counts);
      for (SoftirqVector vector : SoftirqVector.values()) {
        WorkCounts softirq = counts.total(WorkKey.of(vector));
        assertThat(softirq.pending())
            .as("%s pending: at most one raise a CPU", vector)
            .isBetween(0L, (long) counts.cpus().size());
      }
      assertThat(counts.total(WorkKey.of(FastPoolMechanism.TIMER)).pending())
          .isBetween(0L, (long) counts.cpus().size());
      assertThat(counts.total(WorkClass.WORKQUEUE).lost().count(LossReason.PENDING_FULL)).isZero();
    }
  }

  @Test
  void measuresNoAbsurdLatency() throws Exception {
    try (LiveSource source = LiveKernel.open(TraceOptions.everything())) {
      Snapshot last = measureUnderLoad(source);
      long lifetimeNs = Duration.between(last.attachedAt(), last.takenAt()).toNanos();
      for (WorkKey key : WorkKey.ALL) {
        WorkCounts counts = last.counts().total(key);
        assertThat(counts.lost().count(LossReason.NEGATIVE_DELTA)).as("%s negative", key).isZero();
        assertSane(key + " queue latency", counts.queueLatency(), lifetimeNs);
        assertSane(key + " service time", counts.serviceTime(), lifetimeNs);
        assertSane(key + " activation", counts.activationLatency(), lifetimeNs);
      }
    }
  }

  private static void assertSane(String what, LatencyHistogram histogram, long lifetimeNs) {
    assertThat(histogram.maxNs()).as("%s, max", what).isBetween(0L, lifetimeNs);
    assertThat(histogram.sumNs())
        .as("%s, sum of %d", what, histogram.count())
        .isBetween(0L, Math.multiplyExact(histogram.count(), Math.max(1, histogram.maxNs())));
  }

  @Test
  void timesTheMixingOfTheFastPool() throws Exception {
    try (LiveSource source = LiveKernel.open(TraceOptions.of(EnumSet.of(Measurement.FAST_POOL)));
        KernelLoad load = KernelLoad.start()) {
      WorkKey fastPool = WorkKey.of(FastPoolMechanism.TIMER);
      WorkCounts counts = WorkCounts.NONE;
      for (int i = 0; i < 60 && counts.started() < 3; i++) {
        sleep(Duration.ofMillis(500));
        counts = source.snapshot().counts().total(fastPool);
      }
      assertThat(source.plan().of(Measurement.FAST_POOL).state()).isEqualTo(State.ATTACHED);
      assertThat(counts.started()).as("mixings seen in 30 s").isGreaterThanOrEqualTo(3);
      assertThat(counts.queueLatency().maxNs())
          .as("longest wait")
          .isBetween(1_000L, Duration.ofMillis(100).toNanos());
      assertThat(counts.serviceTime().count()).isBetween(counts.started() - 2, counts.started());
      if (source.plan().mechanism() == FastPoolMechanism.TIMER) {
        assertThat(counts.queueLatency().maxNs())
            .as("a timer waits for its tick")
            .isGreaterThan(50_000);
      }
    }
  }

  @Test
  void tellsFunctionsByTheirNamesAndWorkqueues() throws Exception {
    try (LiveSource source = LiveKernel.open(TraceOptions.of(EnumSet.of(Measurement.WORKQUEUE)))) {
      Counts counts = measureUnderLoad(source).counts();
      assertThat(counts.functions().keySet())
          .anySatisfy(
              key -> {
                assertThat(key.function()).isEqualTo("flush_to_ldisc");
                assertThat(key.workqueue()).contains("events_unbound");
              });
      long byFunction =
          counts.functions().values().stream()
              .map(FunctionCounts::queueLatency)
              .mapToLong(LatencyHistogram::count)
              .sum();
      assertThat(byFunction).as("functions add up").isEqualTo(workItems(counts).started());
    }
  }

  @Test
  void countsFunctionsBeyondItsLimitAsOther() throws Exception {
    TraceOptions options = TraceOptions.of(EnumSet.of(Measurement.WORKQUEUE));
    try (LiveSource source = LiveKernel.open(options.withTrackedFunctions(1))) {
      Counts counts = measureUnderLoad(source).counts();
      assertThat(counts.functions().keySet().stream().filter(key -> !key.isOther())).hasSize(1);
      assertThat(
              counts.functions().values().stream()
                  .mapToLong(function -> function.queueLatency().count())
                  .sum())
          .isEqualTo(workItems(counts).started());
    }
  }

  @Test
  void countsWhatAFullPendingMapLoses() throws Exception {
    TraceOptions options = TraceOptions.of(EnumSet.of(Measurement.WORKQUEUE)).withMaxPending(1);
    try (LiveSource source = LiveKernel.open(options)) {
      Counts counts = measureUnderLoad(source).counts();
      assertThat(workItems(counts).lost().count(LossReason.PENDING_FULL)).isPositive();
      assertThat(workItems(counts).lost().count(LossReason.NO_QUEUE_SEEN))
          .as("what was not stamped starts without a queueing seen")
          .isPositive();
      assertBalanced(source, counts);
    }
  }

  @Test
  void countsStampsThatAgedOut() throws Exception {
    TraceOptions options =
        TraceOptions.of(EnumSet.of(Measurement.WORKQUEUE)).withMaxPendingAge(Duration.ofNanos(4));
    try (LiveSource source = LiveKernel.open(options);
        KernelLoad load = KernelLoad.start()) {
      long agedOut = 0;
      for (int i = 0; i < 2_000 && agedOut == 0; i++) {
        agedOut = workItems(source.snapshot().counts()).lost().count(LossReason.AGED_OUT);
      }
      assertThat(agedOut).as("stamps swept").isPositive();
      source.detach();
      sleep(Duration.ofMillis(50));
      int stamps = source.pendingStamps();
      Counts counts = source.snapshot().counts();
      assertThat(workItems(counts).pending()).isBetween(0L, (long) stamps);
    }
  }

  @Test
  void countsSkippedProgramsAsTheKernelDoes() throws Exception {
    try (LiveSource source = LiveKernel.open(TraceOptions.everything());
        KernelLoad load = KernelLoad.start()) {
      sleep(LOAD_TIME);
      long before = RealKernel.recursionMisses();
      Counts counts = source.snapshot().counts();
      long after = RealKernel.recursionMisses();
      long counted = 0;
      for (WorkClass workClass : WorkClass.values()) {
        counted += counts.lostByClass(workClass).count(LossReason.PROGRAM_SKIPPED);
      }
      assertThat(counted).isBetween(before, after);
    }
  }

  @Test
  void countsNothingMoreOnceDetached() throws Exception {
    try (LiveSource source = LiveKernel.open(TraceOptions.everything());
        KernelLoad load = KernelLoad.start()) {
      sleep(Duration.ofMillis(300));
      source.detach();
      sleep(Duration.ofMillis(100));
      Counts detached = source.snapshot().counts();
      sleep(Duration.ofMillis(300));
      assertThat(source.snapshot().counts()).isEqualTo(detached);
      assertThat(detached.total(WorkClass.SOFTIRQ).started()).isPositive();
    }
  }

  @Test
  void measuresOnlyWhatWasAskedFor() throws Exception {
    try (LiveSource source = LiveKernel.open(TraceOptions.of(Set.of(Measurement.SOFTIRQ)))) {
      Counts counts = measureUnderLoad(source).counts();
      assertThat(counts.total(WorkClass.SOFTIRQ).started()).isPositive();
      assertThat(workItems(counts).isNone()).isTrue();
      assertThat(source.plan().of(Measurement.WORKQUEUE).state()).isEqualTo(State.NOT_REQUESTED);
    }
  }

  /** Measures under load, and reads once all probes are detached and have run to their end. */
  private static Snapshot measureUnderLoad(LiveSource source) throws Exception {
    try (KernelLoad load = KernelLoad.start()) {
      sleep(LOAD_TIME);
      source.detach();
    }
    sleep(Duration.ofMillis(50));
    return source.snapshot();
  }

  /** queued = started + pending + lost, with pending counted in the kernel's map. */
  private static void assertBalanced(LiveSource source, Counts counts) throws BpfException {
    WorkCounts items = workItems(counts);
    assertThat(items.started()).isPositive();
    assertThat(items.queued())
        .as("queued")
        .isEqualTo(
            items.started() + source.pendingStamps() + items.lost().total(LossReason.Side.QUEUED));
  }

  private static void sleep(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
  }
}
