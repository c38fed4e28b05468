// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.web.ListenAddress;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsServerTest {

  private static final String PROTOBUF =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

  private final HttpClient client = HttpClient.newHttpClient();
  private final AgentMetrics agent = new AgentMetrics();
  private final AtomicBoolean sourceFails = new AtomicBoolean();
  private final AtomicReference<Readiness> readiness =
      new AtomicReference<>(new Readiness(true, "bhlat is ready."));
  private final TestCounts counts =
      new TestCounts()
          .with(
              0,
              WorkKey.of(WorkClass.WORKQUEUE),
              new WorkCounts(
                  1,
                  0,
                  LossCounts.NONE,
                  TestCounts.histogram(5_000),
                  LatencyHistogram.EMPTY,
                  LatencyHistogram.EMPTY));
  private MetricsServer server = start();

  private MetricsServer start() {
    try {
      return MetricsServer.start(
          ListenAddress.parse("127.0.0.1:0"),
          agent,
          readiness::get,
          () -> LandingPage.html(TestCounts.HOST, TestCounts.plan()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void registerCollectors() {
    MultiCollector kernel =
        new KernelMetrics(
            agent.timed(
                () -> {
                  if (sourceFails.get()) {
                    throw new IllegalStateException("read latency map: EBADF <test>");
                  }
                  return counts.snapshotAfter(Duration.ofSeconds(1));
                }),
            TestCounts.plan(),
            64);
    MultiCollector host = TestCounts.hostMetrics();
    agent.registry().register(new GuardedCollectors(Map.of("kernel", kernel, "host", host)));
  }

  @AfterEach
  void close() {
    server.close();
    agent.close();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + server.address().getPort() + path));
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    return send(request(path));
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), UTF_8);
  }

  private static String contentType(HttpResponse<byte[]> response) {
    return response.headers().firstValue("Content-Type").orElseThrow();
  }

  @Test
  void servesKernelAgentAndJvmMetricsAsTextByDefault() throws Exception {
    get("/metrics"); // the agent's own meters may be collected before the kernel's
    HttpResponse<byte[]> response = get("/metrics");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(contentType(response)).startsWith("text/plain; version=0.0.4");
    assertThat(text(response))
        .contains("bhlat_queue_latency_seconds_count{cpu=\"0\",work_class=\"workqueue\"} 1")
        .contains("bhlat_build_info{version=\"0.1.0\"} 1")
        .contains("bhlat_collector_success{collector=\"kernel\"} 1")
        .containsPattern("bhlat_agent_snapshot_seconds_count [12]\n")
        .contains("process_cpu_seconds_total")
        .contains("jvm_memory_used_bytes");
  }

  @Test
  void servesOpenMetricsAndProtobufToThoseWhoAcceptThem() throws Exception {
    HttpResponse<byte[]> openMetrics =
        send(request("/metrics").header("Accept", "application/openmetrics-text; version=1.0.0"));
    HttpResponse<byte[]> protobuf = send(request("/metrics").header("Accept", PROTOBUF));

    assertThat(contentType(openMetrics)).startsWith("application/openmetrics-text; version=1.0.0");
    assertThat(text(openMetrics)).endsWith("# EOF\n");
    assertThat(protobuf.statusCode()).isEqualTo(200);
    assertThat(contentType(protobuf)).startsWith("application/vnd.google.protobuf");
    assertThat(new String(protobuf.body(), UTF_8)).contains("bhlat_queue_latency_seconds");
  }

  @Test
  void compressesForThoseWhoAcceptIt() throws Exception {
    HttpResponse<byte[]> response = send(request("/metrics").header("Accept-Encoding", "gzip"));

    assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      assertThat(new String(in.readAllBytes(), UTF_8)).contains("bhlat_build_info");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/metricsfoo", "/metrics/", "/Metrics", "/-/healthy/x", "/favicon.ico"})
  void answers404ForEveryOtherPath(String path) throws Exception {
    HttpResponse<byte[]> response = get(path);

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(text(response)).isEqualTo("Not found; metrics are at /metrics.\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/metrics", "/-/healthy", "/-/ready", "/"})
  void answers405ToOtherMethodsSayingWhichAreAllowed(String path) throws Exception {
    HttpResponse<byte[]> response = send(request(path).POST(BodyPublishers.ofString("x=1")));

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/metrics", "/-/healthy", "/-/ready", "/"})
  void answersHeadWithoutABody(String path) throws Exception {
    HttpResponse<byte[]> response = send(request(path).method("HEAD", BodyPublishers.noBody()));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEmpty();
    assertThat(response.headers().firstValueAsLong("Content-Length").orElse(0)).isPositive();
  }

  @Test
  void isHealthyAndReady() throws Exception {
    assertThat(text(get("/-/healthy"))).isEqualTo("bhlat is healthy.\n");
    assertThat(get("/-/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void isNotReadyWithTheReason() throws Exception {
    readiness.set(new Readiness(false, "Attaching probes."));

    HttpResponse<byte[]> response = get("/-/ready");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(text(response)).isEqualTo("Attaching probes.\n");
    assertThat(get("/-/healthy").statusCode()).isEqualTo(200);
  }

  @Test
  void showsOnTheLandingPageWhatIsMissingAndWhyEscaped() throws Exception {
    HttpResponse<byte[]> response = get("/");

    assertThat(contentType(response)).startsWith("text/html");
    assertThat(text(response))
        .contains("bhlat 0.1.0")
        .contains("6.1.0-28-amd64")
        .contains("href=\"/metrics\"")
        .contains("<strong>missing</strong>")
        .contains("raw_tracepoint tasklet_entry: ENOENT; needs Linux 6.3 &lt;or later&gt;")
        .doesNotContain("<or later>");
  }

  @Test
  void servesTheRestWhileOneCollectorFails() throws Exception {
    sourceFails.set(true);

    HttpResponse<byte[]> failing = get("/metrics");

    assertThat(failing.statusCode()).isEqualTo(200);
    assertThat(text(failing))
        .contains("bhlat_collector_success{collector=\"kernel\"} 0")
        .contains("bhlat_collector_success{collector=\"host\"} 1")
        .contains("bhlat_collector_duration_seconds{collector=\"kernel\"} ")
        .contains("bhlat_collector_duration_seconds{collector=\"host\"} ")
        .contains("bhlat_build_info")
        .doesNotContain("bhlat_queue_latency_seconds");

    sourceFails.set(false);
    assertThat(text(get("/metrics"))).contains("bhlat_collector_success{collector=\"kernel\"} 1");
  }

  @Test
  void answers500WithAShortTextWhenTheScrapeItselfFails() throws Exception {
    agent
        .registry()
        .register(
            (MultiCollector)
                () -> {
                  throw new IllegalStateException("secret detail");
                });

    HttpResponse<byte[]> response = get("/metrics");

    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(text(response)).isNotBlank().doesNotContain("secret detail");
    assertThat(get("/-/healthy").statusCode()).isEqualTo(200);
  }

  @Test
  void saysWhatToDoWhenTheAddressIsInUse() {
    String taken = "127.0.0.1:" + server.address().getPort();

    assertThatThrownBy(
            () ->
                MetricsServer.start(
                    ListenAddress.parse(taken), agent, readiness::get, () -> "unused"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "listen on "
                + taken
                + ": EADDRINUSE; stop what listens there or choose another port with"
                + " --web.listen-address");
  }

  @Test
  void saysWhatToDoWhenTheAddressIsNotOfThisHost() {
    assertThatThrownBy(
            () ->
                MetricsServer.start(
                    ListenAddress.parse("192.0.2.1:0"), agent, readiness::get, () -> "unused"))
        .isInstanceOf(IOException.class)
        .hasMessage("listen on 192.0.2.1:0: EADDRNOTAVAIL; use an address of this host");
  }

  @Test
  void listensAgainOnThePortThatItLeft() throws Exception {
    ListenAddress address = new ListenAddress("127.0.0.1", server.address().getPort());
    assertThat(get("/-/healthy").statusCode()).isEqualTo(200);

    server.close();
    server = MetricsServer.start(address, agent, readiness::get, () -> "again");

    assertThat(text(get("/"))).isEqualTo("again");
  }

  @Test
  void refusesMetersAndCollectorsThatWouldClashWithTheKernelsMetrics() {
    assertThatThrownBy(() -> agent.meters().counter("bhlat.queued"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must start with bhlat.agent.");
    MultiCollector again = new GuardedCollectors(Map.of());
    assertThatThrownBy(() -> agent.registry().register(again))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
