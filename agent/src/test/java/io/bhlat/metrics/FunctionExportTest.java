// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.Snapshot;
import io.bhlat.model.WorkClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionExportTest {

  private static final FunctionKey OTHER = FunctionKey.other(WorkClass.WORKQUEUE);
  private static final FunctionKey A = work("a_work");
  private static final FunctionKey B = work("b_work");
  private static final FunctionKey C = work("c_work");

  private final TestCounts counts = new TestCounts();

  private static FunctionKey work(String name) {
    return TestCounts.function(WorkClass.WORKQUEUE, name, "events");
  }

  private static FunctionCounts runs(int runs, long latencyNs) {
    long[] latenciesNs = new long[runs];
    Arrays.fill(latenciesNs, latencyNs);
    LatencyHistogram histogram = TestCounts.histogram(latenciesNs);
    return new FunctionCounts(histogram, histogram);
  }

  private NavigableMap<FunctionKey, FunctionExport.Series> exportAfter(
      FunctionExport export, Duration sinceAttached) {
    return export.export(counts.snapshotAfter(sinceAttached));
  }

  private static long count(Map<FunctionKey, FunctionExport.Series> series, FunctionKey key) {
    FunctionExport.Series one = series.get(key);
    return one == null ? -1 : one.counts().queueLatency().count();
  }

  @Test
  void countsFunctionsThatAreNotSelectedAsOtherHoweverBusy() {
    counts.with(A, runs(1, 10_000)).with(B, runs(5, 10_000));
    FunctionExport export = new FunctionExport(2, name -> name.startsWith("a"));

    var series = exportAfter(export, Duration.ofSeconds(1));
    assertThat(series).containsOnlyKeys(A, OTHER);
    assertThat(count(series, OTHER)).isEqualTo(5);

    counts.with(B, runs(2, 10_000));
    assertThat(count(exportAfter(export, Duration.ofSeconds(2)), OTHER)).isEqualTo(7);
  }

  @Test
  void exportsTheBusiestByThemselvesAndTheRestAsOther() {
    counts.with(A, runs(1, 10_000)).with(B, runs(5, 10_000)).with(C, runs(3, 10_000));

    var series = exportAfter(new FunctionExport(2), Duration.ofSeconds(1));

    assertThat(series).containsOnlyKeys(B, C, OTHER);
    assertThat(count(series, OTHER)).isEqualTo(1);
  }

  @Test
  void hasNoOtherWhileAllFunctionsFit() {
    counts.with(A, runs(1, 10_000));

    assertThat(exportAfter(new FunctionExport(2), Duration.ofSeconds(1))).containsOnlyKeys(A);
  }

  @Test
  void keepsAFunctionThatRanLatelyHoweverBusyOthersAre() {
    FunctionExport export = new FunctionExport(1);
    counts.with(A, runs(1, 10_000));
    exportAfter(export, Duration.ofSeconds(1));
    counts.with(B, runs(1000, 10_000));

    var series = exportAfter(export, Duration.ofMinutes(59));

    assertThat(series).containsOnlyKeys(A, OTHER);
    assertThat(count(series, OTHER)).isEqualTo(1000);
  }

  @Test
  void leavesInOtherWhatWasCountedThereBeforeAFunctionTookAnIdleOnesPlace() {
    FunctionExport export = new FunctionExport(1);
    counts.with(A, runs(1, 10_000));
    exportAfter(export, Duration.ofSeconds(1));
    counts.with(B, runs(7, 10_000));
    exportAfter(export, Duration.ofSeconds(2));
    counts.with(B, runs(2, 10_000));

    var promoted = exportAfter(export, Duration.ofHours(2));
    assertThat(promoted).containsOnlyKeys(B, OTHER);
    assertThat(count(promoted, B)).isZero();
    assertThat(promoted)
        .extractingByKey(B)
        .extracting(FunctionExport.Series::created)
        .isEqualTo(TestCounts.ATTACHED_AT.plusSeconds(7200));
    assertThat(count(promoted, OTHER)).isEqualTo(9);

    counts.with(B, runs(4, 10_000));
    var grown = exportAfter(export, Duration.ofHours(2).plusSeconds(1));
    assertThat(count(grown, B)).isEqualTo(4);
    assertThat(count(grown, OTHER)).isEqualTo(9);
  }

  @Test
  void continuesTheSeriesOfAFunctionThatComesBack() {
    FunctionExport export = new FunctionExport(1);
    counts.with(A, runs(3, 10_000));
    exportAfter(export, Duration.ofSeconds(1));
    counts.with(B, runs(1, 10_000));
    assertThat(exportAfter(export, Duration.ofHours(2))).containsOnlyKeys(B);
    counts.with(A, runs(2, 10_000));
    exportAfter(export, Duration.ofHours(2).plusMinutes(30));
    counts.with(A, runs(2, 10_000));

    var series = exportAfter(export, Duration.ofHours(4));

    assertThat(series).containsOnlyKeys(A, OTHER);
    assertThat(count(series, A)).isEqualTo(3);
    assertThat(count(series, OTHER)).isEqualTo(4);
  }

  @Test
  void addsToWhatTheKernelItselfCountsAsOther() {
    counts.with(A, runs(5, 10_000)).with(B, runs(1, 10_000)).with(OTHER, runs(10, 10_000));

    var series = exportAfter(new FunctionExport(1), Duration.ofSeconds(1));

    assertThat(count(series, OTHER)).isEqualTo(11);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void neverShrinksASeriesNorLosesACount(long seed) {
    Random random = new Random(seed);
    int limit = 1 + random.nextInt(8);
    FunctionExport export = new FunctionExport(limit);
    List<FunctionKey> known = new ArrayList<>();
    for (int function = 0; function < 24; function++) {
      known.add(
          TestCounts.function(
              function % 3 == 0 ? WorkClass.TASKLET : WorkClass.WORKQUEUE, "f" + function, ""));
    }
    Map<FunctionKey, FunctionCounts> last = new HashMap<>();
    Duration now = Duration.ZERO;
    for (int step = 0; step < 120; step++) {
      now = now.plusMinutes(1 + random.nextInt(40));
      // The functions that are busy change over time, so that some go idle and some come back.
      int busyFrom = (step / 12 * 5) % known.size();
      for (int i = 0; i < 6; i++) {
        FunctionKey key = known.get((busyFrom + random.nextInt(10)) % known.size());
        counts.with(key, runs(1 + random.nextInt(5), 1L << (5 + random.nextInt(33))));
      }
      Snapshot snapshot = counts.snapshotAfter(now);

      var series = export.export(snapshot);

      assertThat(series.keySet().stream().filter(key -> !key.isOther()).count())
          .isLessThanOrEqualTo(limit);
      series.forEach((key, one) -> one.counts().since(last.getOrDefault(key, FunctionCounts.NONE)));
      series.forEach((key, one) -> last.put(key, one.counts()));
      assertThat(totals(last)).isEqualTo(totals(snapshot.counts().functions()));
    }
  }

  /** Over each class, also counting series that ended: what is exported is what was counted. */
  private static Map<WorkClass, List<Long>> totals(Map<FunctionKey, FunctionCounts> functions) {
    Map<WorkClass, FunctionCounts> sums = new TreeMap<>();
    functions.forEach((key, one) -> sums.merge(key.workClass(), one, FunctionCounts::plus));
    Map<WorkClass, List<Long>> totals = new TreeMap<>();
    sums.forEach(
        (workClass, sum) ->
            totals.put(
                workClass,
                List.of(
                    sum.queueLatency().count(),
                    sum.queueLatency().sumNs(),
                    sum.serviceTime().count(),
                    sum.serviceTime().sumNs())));
    return totals;
  }
}
