// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.Interval;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.testing.Golden;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class HistReportTest {

  private static String report(Charset charset, HistOptions options) {
    return new HistReport(Units.forCharset(charset), options)
        .render(Example.HEADER, Example.interval(), Example.plan());
  }

  @Test
  void showsEverythingInEightyColumns() {
    Golden.assertMatches("terminal/hist-80.txt", report(UTF_8, HistOptions.everything(80)));
  }

  @Test
  void showsRatesAndDistributionsWhereTheyFit() {
    Golden.assertMatches("terminal/hist-100.txt", report(UTF_8, HistOptions.everything(100)));
    Golden.assertMatches("terminal/hist-120.txt", report(UTF_8, HistOptions.everything(120)));
  }

  @Test
  void keepsToAsciiWhereTheTerminalIsNotUtf8() {
    String text = report(US_ASCII, HistOptions.everything(100));
    assertThat(text).isASCII();
    Golden.assertMatches("terminal/hist-100-ascii.txt", text);
  }

  @Test
  void showsEachCpuThatCounted() {
    HistOptions options =
        HistOptions.only(EnumSet.of(WorkClass.FAST_POOL, WorkClass.SOFTIRQ), 100)
            .withPerCpu(true)
            .withCellsPerRow(4);
    Golden.assertMatches("terminal/hist-per-cpu.txt", report(UTF_8, options));
  }

  @Test
  void showsNoCountOfWhatCannotBeSeen() {
    HistReport report = new HistReport(Units.forCharset(UTF_8), HistOptions.everything(100));
    String seen = report.render(Example.HEADER, Example.interval(), Example.plan());
    String unseen = report.render(Example.HEADER, Example.interval(), Example.planOfTracepoints());
    assertThat(seen).contains("mixings\n", "already pending\n");
    assertThat(unseen)
        .contains("add_interrupt_randomness", "queue_work_on")
        .doesNotContain("mixings\n", "already pending\n");
  }

  @Test
  void showsWhatRanTheSoftirqs() {
    String text = report(UTF_8, HistOptions.everything(100).withPerContext(true));
    assertThat(text).containsPattern("softirq RCU .*\n  irq_exit .*\n  ksoftirqd +3 ");
  }

  @Test
  void saysOfAClassAskedForThatNothingRan() {
    String text = report(UTF_8, HistOptions.only(Set.of(WorkClass.BH_WORKQUEUE), 80));
    assertThat(text).contains("\nbh_workqueue: nothing ran in 10.0 s\n");
  }

  @Test
  void saysWhatIsNotMeasuredAndWhy() {
    HistReport report =
        new HistReport(
            Units.forCharset(UTF_8),
            HistOptions.only(EnumSet.of(WorkClass.TASKLET, WorkClass.FAST_POOL), 80));
    Golden.assertMatches(
        "terminal/hist-incomplete.txt",
        report.render(Example.HEADER, Example.idle(), Example.incompletePlan()));
  }

  @Test
  void saysThatNothingRanAtAll() {
    String text =
        new HistReport(Units.forCharset(UTF_8), HistOptions.everything(80))
            .render(Example.HEADER, Example.idle(), Example.plan());
    assertThat(text).endsWith("\n\nnothing ran in 10.0 s\n");
  }

  @Test
  void limitsFunctionsAndSaysHowManyAreLeft() {
    String text = report(UTF_8, HistOptions.everything(100).withFunctions(2));
    assertThat(text)
        .contains("mlx4_cq_tasklet_cb", "ipoib_cm_rx_reap")
        .contains("\n2 of 6 functions shown; the other 4 ran 27,972 times\n")
        .containsPattern("\nother +\\(workqueue\\) +1,163 ")
        .doesNotContain("flush_to_ldisc");
  }

  @Test
  void listsOnlyFunctionsThatMatch() {
    Interval all = Example.interval();
    Interval some =
        new Interval(
            all.from(),
            all.to(),
            all.durationNs(),
            FunctionFilter.matching(all.counts(), Pattern.compile("^(mlx4|ipoib)_")));
    assertThat(some.counts().functions().keySet())
        .extracting(key -> key.function().substring(0, 5))
        .containsExactlyInAnyOrder("mlx4_", "mlx4_", "ipoib");
    assertThat(some.counts().total(WorkClass.WORKQUEUE))
        .isEqualTo(all.counts().total(WorkClass.WORKQUEUE));
  }

  @Test
  void saysWhenABacklogShrank() {
    WorkKey key = WorkKey.of(FastPoolMechanism.TIMER);
    Interval grown = Example.fastPoolOnly(1_000, 2_000, 3_000);
    WorkCounts counts = grown.counts().total(key);
    WorkCounts fewer =
        new WorkCounts(
            1,
            0,
            LossCounts.NONE,
            counts.queueLatency(),
            LatencyHistogram.EMPTY,
            counts.serviceTime());
    List<WorkCounts> keys =
        new ArrayList<>(Collections.nCopies(WorkKey.ALL.size(), WorkCounts.NONE));
    keys.set(key.index(), fewer);
    Interval interval =
        new Interval(
            grown.from(),
            grown.to(),
            grown.durationNs(),
            new Counts(Map.of(0, keys), Map.of(), Map.of(), CallCounts.NONE));
    assertThat(
            new HistReport(Units.forCharset(UTF_8), HistOptions.everything(80))
                .render(Example.HEADER, interval, Example.plan()))
        .contains("queued 1 = started 3 − 2 no longer pending + lost 0");
  }

  @Test
  void leavesOutServiceTimesThatNobodySaw() {
    String text =
        new HistReport(Units.forCharset(UTF_8), HistOptions.everything(80))
            .render(Example.HEADER, Example.fastPoolOnly(1_000, 2_000), Example.plan());
    assertThat(text).contains("queue latency").doesNotContain("service time");
  }
}
