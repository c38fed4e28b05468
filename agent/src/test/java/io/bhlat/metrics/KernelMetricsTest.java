// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.SoftirqVector;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelMetricsTest {

  private static final Path GOLDEN = Path.of("src/test/resources/golden/metrics.txt");
  private static final long SECOND_NS = 1_000_000_000L;

  private static final WorkKey WORKQUEUE = WorkKey.of(WorkClass.WORKQUEUE);

  private static WorkCounts latencies(LatencyHistogram queue, LatencyHistogram service) {
    return new WorkCounts(
        queue.count() + 1, 0, LossCounts.NONE, queue, LatencyHistogram.EMPTY, service);
  }

  /** Two CPUs of three counted; every kind of family has something. */
  private static TestCounts someCounts() {
    LatencyHistogram queue = TestCounts.histogram(40, 3_000, 70_000, 65 * SECOND_NS);
    LatencyHistogram service = TestCounts.histogram(500, 1_500);
    FunctionCounts function = new FunctionCounts(queue, service);
    return new TestCounts()
        .with(
            0,
            WORKQUEUE,
            new WorkCounts(
                7,
                2,
                LossCounts.of(LossReason.PENDING_FULL, 1),
                queue,
                TestCounts.histogram(900),
                service))
        .with(1, WorkKey.of(SoftirqVector.NET_RX), latencies(queue, service))
        .with(
            1,
            WorkKey.of(FastPoolMechanism.TIMER),
            latencies(TestCounts.histogram(4_000_000), queue))
        .with(2, WORKQUEUE, WorkCounts.NONE)
        .with("raw_tracepoint__softirq_entry", new ProgramRuns(1_500, 1_500_000))
        .withLost(WORKQUEUE, LossCounts.of(LossReason.AGED_OUT, 1))
        .withLost(WorkClass.SOFTIRQ, LossCounts.of(LossReason.PROGRAM_SKIPPED, 2))
        .with(TestCounts.function(WorkClass.WORKQUEUE, "vmstat_update", "mm_percpu_wq"), function)
        .with(TestCounts.function(WorkClass.WORKQUEUE, "foo_work [\"mod\"]", ""), function);
  }

  private static String text(MetricSnapshots families) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, families);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static MetricSnapshots families(Counts counts) {
    return KernelMetrics.of(counts, TestCounts.plan(), TestCounts.ATTACHED_AT, 1);
  }

  private static List<String> lines(String text, String start) {
    return text.lines().filter(line -> line.startsWith(start)).toList();
  }

  /** To write the file anew: mvn test -Dbhlat.golden.update=true, and look at the difference. */
  @Test
  void givesTheTextOfTheGoldenFile() throws IOException {
    List<MetricSnapshot> all = new ArrayList<>();
    HostMetrics.constant(TestCounts.HOST, TestCounts.plan()).forEach(all::add);
    families(someCounts().build()).forEach(all::add);
    String text = text(new MetricSnapshots(all));
    if (Boolean.getBoolean("bhlat.golden.update")) {
      Files.createDirectories(GOLDEN.getParent());
      Files.writeString(GOLDEN, text);
    }

    assertThat(text).isEqualTo(Files.readString(GOLDEN));
  }

  @Test
  void carriesNativeBucketsInProtobufWithOverflowUnbounded() {
    String debug = new PrometheusProtobufWriter().toDebugString(families(someCounts().build()));

    assertThat(debug)
        .contains("schema: 3")
        .contains("zero_threshold: 5.9604644775390625E-8")
        .contains("zero_count: 1");
    assertThat(spanEnds(debug)).contains(LatencyBuckets.nativeIndex(3_000), 8193);
  }

  /** The native indexes of the last bucket of each span. */
  private static List<Integer> spanEnds(String debug) {
    List<Integer> ends = new ArrayList<>();
    int next = 0;
    for (String line : debug.lines().map(String::strip).toList()) {
      if (line.startsWith("schema:")) {
        next = 0;
      } else if (line.startsWith("offset:")) {
        next += Integer.parseInt(line.substring("offset: ".length()));
      } else if (line.startsWith("length:")) {
        next += Integer.parseInt(line.substring("length: ".length()));
        ends.add(next - 1);
      }
    }
    return ends;
  }

  @Test
  void exportsAHistogramForEveryCpuThatCountedAnythingAndNoOther() throws IOException {
    String text = text(families(someCounts().build()));

    assertThat(lines(text, "bhlat_queue_latency_seconds_count"))
        .containsExactly(
            "bhlat_queue_latency_seconds_count{cpu=\"0\",work_class=\"workqueue\"} 4",
            "bhlat_queue_latency_seconds_count{cpu=\"1\",work_class=\"workqueue\"} 0");
  }

  @Test
  void leavesOutHistogramsThatNoCpuCounted() throws IOException {
    String text = text(families(someCounts().build()));

    assertThat(text).doesNotContain("vector=\"HI\"").doesNotContain("tasklet_latency");
    assertThat(lines(text, "bhlat_service_time_seconds_count{cpu=\"0\",work_class=\"bh_workqueue"))
        .isEmpty();
  }

  @Test
  void balancesTheAccountOfAClass() throws IOException {
    String text = text(families(someCounts().build()));

    assertThat(text)
        .contains("bhlat_queued_total{cpu=\"0\",work_class=\"workqueue\"} 7")
        .contains("bhlat_started_total{cpu=\"0\",work_class=\"workqueue\"} 4")
        .contains("bhlat_lost_samples_total{reason=\"pending_full\",work_class=\"workqueue\"} 1")
        .contains("bhlat_lost_samples_total{reason=\"aged_out\",work_class=\"workqueue\"} 1")
        .contains("bhlat_lost_samples_total{reason=\"program_skipped\",work_class=\"softirq\"} 2")
        .contains("bhlat_pending{work_class=\"workqueue\"} 1")
        .contains("bhlat_flush_barriers_total{work_class=\"workqueue\"} 2");
  }

  @Test
  void countsEveryReasonFromZeroForMeasuredClassesOnly() throws IOException {
    String text = text(families(new TestCounts().build()));

    assertThat(lines(text, "bhlat_lost_samples_total{"))
        .hasSize(4 * LossReason.values().length)
        .allMatch(line -> line.endsWith(" 0.0"))
        .noneMatch(line -> line.contains("tasklet"));
    assertThat(text).doesNotContain("bhlat_pending{work_class=\"softirq\"}");
  }

  @Test
  void exportsTheCostOfProgramsOnlyWhereTheKernelCountsIt() throws IOException {
    String program = "{program=\"raw_tracepoint__softirq_entry\"} ";

    assertThat(text(families(someCounts().build())))
        .contains("bhlat_program_run_seconds_total" + program + "0.0015")
        .contains("bhlat_program_runs_total" + program + "1500");
    assertThat(text(families(new TestCounts().build()))).doesNotContain("bhlat_program_");
  }

  @Test
  void readsOneSnapshotAScrape() {
    List<Integer> reads = new ArrayList<>();
    KernelMetrics metrics =
        new KernelMetrics(
            () -> {
              reads.add(reads.size());
              return someCounts().snapshotAfter(Duration.ofSeconds(reads.size()));
            },
            TestCounts.plan(),
            64);

    assertThat(metrics.collect().size()).isPositive();

    assertThat(reads).hasSize(1);
  }

  @Test
  void namesEveryFamilyOnceWithBothEndsOfALatency() {
    assertThat(MetricNames.all()).extracting(MetricName::name).doesNotHaveDuplicates();
    assertThat(MetricNames.all())
        .allSatisfy(
            name -> {
              assertThat(name.name()).startsWith(MetricNames.PREFIX).matches("[a-z_]+");
              assertThat(name.help()).endsWith(".");
              if (name.type() == MetricName.Type.HISTOGRAM) {
                assertThat(name.help()).matches("Seconds from .* to .*");
              }
            });
  }
}
