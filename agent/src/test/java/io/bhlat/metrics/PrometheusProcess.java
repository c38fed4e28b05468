// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Prometheus on loopback that scrapes one target every second, with native histograms on. It
 * keeps its files in a directory that the caller gives, and is ended by {@link #close}.
 */
public final class PrometheusProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final int port;
  private final Path log;

  private PrometheusProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /** Aborts a test, rather than fails it, where a program is not installed. */
  public static void assumeInstalled(String program) {
    boolean found =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    if (!found) {
      Assumptions.abort(
          program + " is not on PATH; run agent/bin/verify, which installs prometheus");
    }
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param target host and port whose {@code /metrics} to scrape
   * @param directory an empty directory
   */
  public static PrometheusProcess scraping(String target, Path directory)
      throws IOException, InterruptedException {
    assumeInstalled("prometheus");
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global:
          scrape_interval: 1s
          scrape_timeout: 1s
        scrape_configs:
          - job_name: bhlat
            static_configs:
              - targets: ["%s"]
        """
            .formatted(target));
    int port = freePort();
    Path log = directory.resolve("prometheus.log");
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                "--enable-feature=native-histograms")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    PrometheusProcess prometheus = new PrometheusProcess(process, port, log);
    try {
      prometheus.awaitReady();
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      prometheus.close();
      throw e;
    }
    return prometheus;
  }

  /**
   * The result of an instant query.
   *
   * @return the elements of {@code data.result}, each with {@code metric} and {@code value}
   */
  public JsonArray query(String promQl) throws IOException, InterruptedException {
    HttpResponse<String> response =
        get("/api/v1/query?query=" + URLEncoder.encode(promQl, StandardCharsets.UTF_8));
    if (response.statusCode() != 200) {
      throw new AssertionError("query " + promQl + ": " + response.body());
    }
    return JsonParser.parseString(response.body())
        .getAsJsonObject()
        .getAsJsonObject("data")
        .getAsJsonArray("result");
  }

  /** The value of a query that gives exactly one element. */
  public double value(String promQl) throws IOException, InterruptedException {
    JsonArray result = query(promQl);
    if (result.size() != 1) {
      throw new AssertionError("query " + promQl + ": not one element but " + result);
    }
    return parse(result);
  }

  /** Waits until a query gives one element whose value passes; fails with what it gave last. */
  public double awaitValue(String promQl, Predicate<Double> passes)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    JsonArray result;
    do {
      result = query(promQl);
      if (result.size() == 1 && passes.test(parse(result))) {
        return parse(result);
      }
      Thread.sleep(200);
    } while (System.nanoTime() < deadlineNs);
    throw new AssertionError(
        "query " + promQl + " gave " + result + "\ntargets: " + get("/api/v1/targets").body());
  }

  private static double parse(JsonArray result) {
    JsonObject element = result.get(0).getAsJsonObject();
    String value = element.getAsJsonArray("value").get(1).getAsString();
    return switch (value) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(value);
    };
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(PATIENCE)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private void awaitReady() throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadlineNs && process.isAlive()) {
      try {
        if (get("/-/ready").statusCode() == 200) {
          return;
        }
      } catch (ConnectException e) {
        // Not listening yet: what is waited for.
      }
      Thread.sleep(100);
    }
    throw new AssertionError("prometheus did not become ready:\n" + Files.readString(log));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Ends it and waits for that, so that its directory can be removed. */
  @Override
  public void close() {
    process.destroy();
    process
        .onExit()
        .completeOnTimeout(process, 10, TimeUnit.SECONDS)
        .thenAccept(Process::destroyForcibly)
        .join();
    process.onExit().join();
  }
}
