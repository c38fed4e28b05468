// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CountsTest {

  private static final WorkKey WORKQUEUE = WorkKey.of(WorkClass.WORKQUEUE);
  private static final FunctionKey BLOCK =
      new FunctionKey(WorkClass.WORKQUEUE, "blk_mq_run_work_fn", Optional.of("kblockd"));

  private static WorkCounts queued(long queued, int started) {
    return new WorkCounts(
        queued,
        0,
        LossCounts.NONE,
        Samples.counting(started),
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY);
  }

  /** Counts of one key on one CPU, nothing else. */
  private static List<WorkCounts> only(WorkKey key, WorkCounts counts) {
    List<WorkCounts> all =
        new ArrayList<>(Collections.nCopies(WorkKey.ALL.size(), WorkCounts.NONE));
    all.set(key.index(), counts);
    return all;
  }

  private static Counts counts(Map<Integer, List<WorkCounts>> byCpu) {
    return new Counts(byCpu, Map.of(), Map.of(), CallCounts.NONE);
  }

  @Test
  void everyKeyIsAtItsIndex() {
    assertThat(WorkKey.ALL).hasSize(17);
    assertThat(WorkKey.ALL).allMatch(key -> WorkKey.ALL.get(key.index()).equals(key));
    assertThat(WorkKey.of(SoftirqVector.NET_RX)).hasToString("softirq NET_RX");
    assertThatIllegalArgumentException().isThrownBy(() -> WorkKey.of(WorkClass.SOFTIRQ));
    assertThat(WorkKey.of(FastPoolMechanism.TIMER)).hasToString("fast_pool (timer)");
    assertThatIllegalArgumentException().isThrownBy(() -> WorkKey.of(WorkClass.FAST_POOL));
    assertThatIllegalArgumentException().isThrownBy(() -> WorkKey.of(FastPoolMechanism.INLINE));
  }

  @Test
  void totalIsOverAllCpusWithWhatNoCpuLost() {
    LossCounts agedOut = LossCounts.of(LossReason.AGED_OUT, 2);
    Counts counts =
        new Counts(
            Map.of(0, only(WORKQUEUE, queued(5, 0)), 3, only(WORKQUEUE, queued(1, 4))),
            Map.of(WORKQUEUE, agedOut),
            Map.of(),
            CallCounts.NONE);
    assertThat(counts.cpus()).containsExactly(0, 3);
    assertThat(counts.of(3, WORKQUEUE).started()).isEqualTo(4);
    assertThat(counts.of(1, WORKQUEUE)).isSameAs(WorkCounts.NONE);
    assertThat(counts.total(WORKQUEUE).lost()).isEqualTo(agedOut);
    assertThat(counts.total(WORKQUEUE).pending()).isZero();
    assertThat(counts.total(WorkClass.WORKQUEUE)).isEqualTo(counts.total(WORKQUEUE));
    assertThat(counts.total(WorkClass.TASKLET).isNone()).isTrue();
  }

  @Test
  void totalOfSoftirqsIsOverAllVectors() {
    Counts counts =
        counts(
            Map.of(
                0, only(WorkKey.of(SoftirqVector.HI), queued(5, 0)),
                1, only(WorkKey.of(SoftirqVector.RCU), queued(7, 0))));
    assertThat(counts.total(WorkClass.SOFTIRQ).queued()).isEqualTo(12);
  }

  @Test
  void aCpuThatCameOnlineCountsFromZero() {
    Counts earlier = counts(Map.of(0, only(WORKQUEUE, queued(5, 1))));
    Counts later =
        counts(Map.of(0, only(WORKQUEUE, queued(6, 3)), 1, only(WORKQUEUE, queued(2, 2))));
    Counts growth = later.since(earlier);
    assertThat(growth.of(0, WORKQUEUE).queued()).isEqualTo(1);
    assertThat(growth.of(0, WORKQUEUE).started()).isEqualTo(2);
    assertThat(growth.of(1, WORKQUEUE)).isEqualTo(queued(2, 2));
  }

  @Test
  void aCpuThatIsGoneIsLeftOut() {
    Counts earlier =
        counts(Map.of(0, only(WORKQUEUE, queued(5, 1)), 1, only(WORKQUEUE, WorkCounts.NONE)));
    Counts later = counts(Map.of(0, only(WORKQUEUE, queued(5, 1))));
    assertThat(later.since(earlier).cpus()).containsExactly(0);
  }

  @Test
  void lossesAndFunctionsGrowToo() {
    FunctionCounts once = new FunctionCounts(Samples.counting(1), Samples.counting(1));
    FunctionCounts thrice = new FunctionCounts(Samples.counting(3), Samples.counting(2));
    Counts earlier =
        new Counts(
            Map.of(),
            Map.of(WORKQUEUE, LossCounts.of(LossReason.AGED_OUT, 1)),
            Map.of(BLOCK, once),
            CallCounts.NONE);
    Counts later =
        new Counts(
            Map.of(),
            Map.of(WORKQUEUE, LossCounts.of(LossReason.AGED_OUT, 4)),
            Map.of(BLOCK, thrice, FunctionKey.other(WorkClass.TASKLET), once),
            CallCounts.NONE);
    Counts growth = later.since(earlier);
    assertThat(growth.lostAnywhere(WORKQUEUE).count(LossReason.AGED_OUT)).isEqualTo(3);
    assertThat(growth.functions())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(BLOCK, thrice.since(once), FunctionKey.other(WorkClass.TASKLET), once));
  }

  @Test
  void skippedProgramsAreOfTheClassAndInNoAccount() {
    Map<Integer, List<WorkCounts>> byCpu = Map.of(0, only(WORKQUEUE, queued(5, 4)));
    Counts earlier =
        new Counts(byCpu, Map.of(), Map.of(), CallCounts.NONE)
            .withLostByClass(
                Map.of(WorkClass.WORKQUEUE, LossCounts.of(LossReason.PROGRAM_SKIPPED, 2)));
    Counts later =
        earlier.withLostByClass(
            Map.of(
                WorkClass.WORKQUEUE,
                LossCounts.of(LossReason.PROGRAM_SKIPPED, 7),
                WorkClass.SOFTIRQ,
                LossCounts.of(LossReason.PROGRAM_SKIPPED, 1)));

    assertThat(later.total(WorkClass.WORKQUEUE).lost().count(LossReason.PROGRAM_SKIPPED))
        .isEqualTo(7);
    assertThat(later.total(WorkClass.WORKQUEUE).pending()).isEqualTo(1);
    assertThat(later.total(WORKQUEUE).lost()).isEqualTo(LossCounts.NONE);
    assertThat(later.withFunctions(functions -> functions)).isEqualTo(later).isNotEqualTo(earlier);
    Counts growth = later.since(earlier);
    assertThat(growth.lostByClass(WorkClass.WORKQUEUE).count(LossReason.PROGRAM_SKIPPED))
        .isEqualTo(5);
    assertThat(growth.lostByClass(WorkClass.SOFTIRQ).count(LossReason.PROGRAM_SKIPPED))
        .isEqualTo(1);
    assertThat(growth.lostByClass(WorkClass.TASKLET)).isEqualTo(LossCounts.NONE);
  }

  @Test
  void anIntervalIsTheDifferenceOfTwoSnapshots() {
    Instant start = Instant.parse("2026-01-01T00:00:00Z");
    Snapshot first =
        new Snapshot(start, 1_000, start, counts(Map.of(0, only(WORKQUEUE, queued(5, 0)))));
    Snapshot second =
        new Snapshot(
            start.plusSeconds(2),
            2_000_001_000,
            start,
            counts(Map.of(0, only(WORKQUEUE, queued(9, 0)))));
    Interval interval = second.since(first);
    assertThat(interval.from()).isEqualTo(first.takenAt());
    assertThat(interval.to()).isEqualTo(second.takenAt());
    assertThat(interval.durationNs()).isEqualTo(2_000_000_000);
    assertThat(interval.perSecond(interval.counts().total(WORKQUEUE).queued())).isEqualTo(2.0);
    assertThatIllegalArgumentException().isThrownBy(() -> first.since(second));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> first.since(first))
        .withMessageContaining("0 ns");
  }

  @Test
  void cannotBeChanged() {
    Map<Integer, List<WorkCounts>> byCpu = new TreeMap<>();
    byCpu.put(0, only(WORKQUEUE, queued(5, 0)));
    Counts counts = counts(byCpu);
    byCpu.clear();
    assertThat(counts.cpus()).containsExactly(0);
    assertThatThrownBy(() -> counts.cpus().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> counts.functions().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> counts(Map.of(2, List.of())))
        .withMessage("CPU 2: 0 keys");
  }

  @Test
  void subtractsTheCostOfProgramsAndTakesNewOnesWhole() {
    Counts earlier =
        new Counts(Map.of(), Map.of(), Map.of(), CallCounts.NONE)
            .withPrograms(Map.of("a", new ProgramRuns(10, 1_000)));
    Counts later =
        new Counts(Map.of(), Map.of(), Map.of(), CallCounts.NONE)
            .withPrograms(Map.of("a", new ProgramRuns(15, 1_400), "b", new ProgramRuns(2, 70)));

    assertThat(later.since(earlier).programs())
        .isEqualTo(Map.of("a", new ProgramRuns(5, 400), "b", new ProgramRuns(2, 70)));
    assertThat(later.withFunctions(functions -> functions)).isEqualTo(later);
    assertThat(later).isNotEqualTo(earlier);
  }
}
