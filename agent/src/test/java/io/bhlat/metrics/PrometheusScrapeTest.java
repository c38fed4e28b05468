// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.Snapshot;
import io.bhlat.model.SoftirqVector;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.web.ListenAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes the real server; what it says is compared with what was counted. */
@Timeout(120)
class PrometheusScrapeTest {

  private static final WorkKey WORKQUEUE = WorkKey.of(WorkClass.WORKQUEUE);
  private static final WorkKey NET_RX = WorkKey.of(SoftirqVector.NET_RX);
  private static final WorkKey FAST_POOL = WorkKey.of(FastPoolMechanism.TIMER);

  @TempDir private Path directory = Path.of("");

  /** Every read finds the same latencies once more, so that quantiles do not depend on time. */
  private static final class GrowingSource implements Supplier<Snapshot> {
    private final AtomicInteger reads = new AtomicInteger();
    private final TestCounts counts = new TestCounts();
    private final LatencyHistogram growth;

    GrowingSource(LatencyHistogram growth) {
      this.growth = growth;
    }

    @Override
    public synchronized Snapshot get() {
      WorkCounts further =
          new WorkCounts(
              growth.count(), 0, LossCounts.NONE, growth, LatencyHistogram.EMPTY, growth);
      // Overflow only: what Prometheus makes of latencies without a bound.
      LatencyHistogram unbounded = TestCounts.histogram(100_000_000_000L);
      WorkCounts tooLong =
          new WorkCounts(1, 0, LossCounts.NONE, unbounded, LatencyHistogram.EMPTY, unbounded);
      counts.with(0, WORKQUEUE, further).with(1, NET_RX, further).with(1, FAST_POOL, tooLong);
      return counts.snapshotAfter(Duration.ofSeconds(reads.incrementAndGet()));
    }
  }

  /** Log-uniform from 100 ns to 100 ms. */
  private static LatencyHistogram latencies() {
    Random random = new Random(42);
    return TestCounts.histogram(
        random.doubles(5000).mapToLong(u -> Math.round(100 * Math.pow(1e6, u))).toArray());
  }

  private static MetricsServer serve(AgentMetrics agent, Supplier<Snapshot> source)
      throws IOException {
    agent
        .registry()
        .register(
            new GuardedCollectors(
                Map.of(
                    "kernel",
                    new KernelMetrics(agent.timed(source), TestCounts.plan(), 64),
                    "host",
                    TestCounts.hostMetrics())));
    return MetricsServer.start(
        ListenAddress.parse("127.0.0.1:0"),
        agent,
        () -> new Readiness(true, "bhlat is ready."),
        () -> LandingPage.html(TestCounts.HOST, TestCounts.plan()));
  }

  @Test
  void quantilesOfPrometheusAreWithinOneBucketOfOurs() throws Exception {
    LatencyHistogram growth = latencies();
    try (AgentMetrics agent = new AgentMetrics();
        MetricsServer server = serve(agent, new GrowingSource(growth));
        PrometheusProcess prometheus =
            PrometheusProcess.scraping("127.0.0.1:" + server.address().getPort(), directory)) {
      prometheus.awaitValue(
          "histogram_count(bhlat_queue_latency_seconds{cpu=\"0\"})",
          count -> count >= 4 * growth.count());

      for (double quantile : new double[] {0.5, 0.9, 0.99}) {
        double bound = growth.quantileBoundNs(quantile) / 1e9;
        for (String name :
            new String[] {
              "bhlat_queue_latency_seconds{cpu=\"0\"}",
              "bhlat_softirq_latency_seconds{cpu=\"1\",vector=\"NET_RX\"}"
            }) {
          assertWithinOneBucket(
              prometheus.value("histogram_quantile(" + quantile + ", " + name + ")"), bound);
          assertWithinOneBucket(
              prometheus.value(
                  "histogram_quantile("
                      + quantile
                      + ", sum(rate("
                      + name.replace("}", "}[30s]")
                      + ")))"),
              bound);
        }
      }
      assertOverflowHasNoFiniteBound(prometheus);
      assertThat(prometheus.value("bhlat_collector_success{collector=\"kernel\"}")).isEqualTo(1);
    }
  }

  private static void assertWithinOneBucket(double seconds, double boundSeconds) {
    double width = LatencyBuckets.upperBoundSeconds(1);
    assertThat(seconds).isBetween(boundSeconds / width / width, boundSeconds * width * 1.0001);
  }

  private static void assertOverflowHasNoFiniteBound(PrometheusProcess prometheus)
      throws IOException, InterruptedException {
    String name = "bhlat_fast_pool_latency_seconds{cpu=\"1\"}";
    assertThat(prometheus.value("histogram_count(" + name + ")")).isPositive();
    assertThat(prometheus.value("histogram_fraction(0, 1e308, " + name + ")")).isZero();
    assertThat(prometheus.value("histogram_quantile(0.5, " + name + ")"))
        .isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void promtoolFindsNothingToComplainAbout() throws Exception {
    PrometheusProcess.assumeInstalled("promtool");
    byte[] scrape;
    try (AgentMetrics agent = new AgentMetrics();
        MetricsServer server = serve(agent, new GrowingSource(latencies()));
        InputStream in =
            URI.create("http://127.0.0.1:" + server.address().getPort() + "/metrics")
                .toURL()
                .openStream()) {
      scrape = in.readAllBytes();
    }
    Path complaints = Files.createFile(directory.resolve("complaints"));

    Process promtool =
        new ProcessBuilder("promtool", "check", "metrics")
            .redirectErrorStream(true)
            .redirectOutput(complaints.toFile())
            .start();
    try (var in = promtool.getOutputStream()) {
      new ByteArrayInputStream(scrape).transferTo(in);
    }

    assertThat(promtool.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(complaints).hasContent("");
    assertThat(promtool.exitValue()).isZero();
  }
}
