// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.FunctionCounts;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.web.ListenAddress;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hundred scrapes at once, over real connections. */
@Timeout(60)
class ScrapeStormTest {

  private static final int SCRAPES = 100;

  private final AgentMetrics agent = new AgentMetrics();
  private final AtomicInteger collections = new AtomicInteger();
  private final TestCounts counts = busy();
  private MetricsServer server;

  /** Two CPUs that run everything, and as many functions as are exported by default. */
  private static TestCounts busy() {
    TestCounts busy = new TestCounts();
    LatencyHistogram latencies =
        TestCounts.histogram(LongStream.range(0, 200).map(i -> 500 + i * i * 997).toArray());
    WorkCounts work = new WorkCounts(200, 0, LossCounts.NONE, latencies, latencies, latencies);
    for (WorkKey key : WorkKey.ALL) {
      busy.with(0, key, work).with(1, key, work);
    }
    for (int i = 0; i < 64; i++) {
      busy.with(
          TestCounts.function(WorkClass.WORKQUEUE, "function_" + i + "_work", "events"),
          new FunctionCounts(latencies, latencies));
    }
    return busy;
  }

  @BeforeEach
  void start() throws IOException {
    MultiCollector kernel =
        new KernelMetrics(
            () -> {
              collections.incrementAndGet();
              return counts.snapshotAfter(Duration.ofSeconds(1));
            },
            TestCounts.plan(),
            64);
    agent.registry().register(new GuardedCollectors(Map.of("kernel", kernel)));
    server =
        MetricsServer.start(
            ListenAddress.parse("127.0.0.1:0"),
            agent,
            () -> new Readiness(true, "ready"),
            () -> "page");
  }

  @AfterEach
  void stop() {
    server.close();
    agent.close();
  }

  private byte[] scrape() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              String.join(
                      "\r\n",
                      "GET /metrics HTTP/1.1",
                      "Host: x",
                      "Accept-Encoding: gzip",
                      "Connection: close",
                      "",
                      "")
                  .getBytes(StandardCharsets.US_ASCII));
      try (InputStream in = socket.getInputStream()) {
        return in.readAllBytes();
      }
    }
  }

  @Test
  void aHundredScrapesAtOnceShareAFewRenderings() throws Exception {
    scrape();
    collections.set(0);
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService clients = Executors.newFixedThreadPool(SCRAPES);
    try {
      List<Future<Long>> tookNs = new ArrayList<>();
      for (int i = 0; i < SCRAPES; i++) {
        Callable<Long> client =
            () -> {
              start.await();
              long startNs = System.nanoTime();
              assertThat(new String(scrape(), StandardCharsets.ISO_8859_1))
                  .startsWith("HTTP/1.1 200 OK")
                  .contains("Content-Encoding: gzip");
              return System.nanoTime() - startNs;
            };
        tookNs.add(clients.submit(client));
      }
      start.countDown();
      long slowestNs = 0;
      for (Future<Long> took : tookNs) {
        slowestNs = Math.max(slowestNs, took.get());
      }
      assertThat(Duration.ofNanos(slowestNs)).isLessThan(Duration.ofSeconds(5));
      assertThat(collections.get()).isLessThan(SCRAPES / 4);
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void aScrapeOfTwoBusyCpusTakesMilliseconds() throws Exception {
    long[] tookNs = new long[30];
    for (int i = 0; i < 30; i++) {
      scrape();
    }
    for (int i = 0; i < tookNs.length; i++) {
      long startNs = System.nanoTime();
      scrape();
      tookNs[i] = System.nanoTime() - startNs;
    }
    Arrays.sort(tookNs);
    assertThat(Duration.ofNanos(tookNs[tookNs.length / 2])).isLessThan(Duration.ofMillis(100));
  }
}
