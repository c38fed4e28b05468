// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.bhlat.web.Bytes;
import io.bhlat.web.BytesOutput;
import io.bhlat.web.BytesOutput.TooLargeException;
import io.bhlat.web.Handler;
import io.bhlat.web.Request;
import io.bhlat.web.Response;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.model.registry.MetricNameFilter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Answers scrapes. Those that ask for the same while it is being made share it, so that a hundred
 * at once cost as much time and memory as two or three. Thread-safe.
 */
final class ScrapeHandler implements Handler {

  /** Of the heap; text of a large host that would take more is had with gzip or as protobuf. */
  private static final int HEAP_FRACTION = 3;

  private static final int GZIP_BUFFER_BYTES = 8 * 1024;

  private final AgentMetrics agent;
  private final int maxBytes;
  private final Map<Wanted, CompletableFuture<Response>> underway = new ConcurrentHashMap<>();

  ScrapeHandler(AgentMetrics agent) {
    this(
        agent, (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / HEAP_FRACTION));
  }

  /**
   * Renders nothing yet.
   *
   * @param maxBytes of one answer
   */
  ScrapeHandler(AgentMetrics agent, int maxBytes) {
    this.agent = agent;
    this.maxBytes = maxBytes;
  }

  /**
   * What makes answers differ.
   *
   * @param names the metrics asked for by {@code name[]}; empty: all
   */
  private record Wanted(ScrapeFormat format, boolean gzip, Set<String> names) {}

  @Override
  public CompletionStage<Response> handle(Request request) {
    long startNs = System.nanoTime();
    Wanted wanted;
    try {
      wanted =
          new Wanted(
              ScrapeFormat.of(request.header("Accept")),
              Accepted.gzip(request.header("Accept-Encoding")),
              names(request.query()));
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedFuture(
          Response.text(400, "The query is not percent-encoded: write name[]=NAME.\n"));
    }
    return share(wanted)
        .whenComplete(
            (response, failure) ->
                agent.scrapes().record(System.nanoTime() - startNs, NANOSECONDS));
  }

  private CompletableFuture<Response> share(Wanted wanted) {
    CompletableFuture<Response> mine = new CompletableFuture<>();
    CompletableFuture<Response> other = underway.putIfAbsent(wanted, mine);
    if (other != null) {
      return other;
    }
    try {
      Response response = render(wanted);
      underway.remove(wanted);
      mine.complete(response);
    } catch (RuntimeException | OutOfMemoryError e) {
      underway.remove(wanted);
      mine.completeExceptionally(e);
    }
    return mine;
  }

  private Response render(Wanted wanted) {
    PrometheusRegistry registry = agent.registry();
    MetricSnapshots snapshots =
        wanted.names().isEmpty()
            ? registry.scrape()
            : registry.scrape(MetricNameFilter.builder().nameMustBeEqualTo(wanted.names()).build());
    ExpositionFormatWriter writer = wanted.format().writer();
    BytesOutput output = new BytesOutput(maxBytes);
    try (OutputStream encoded = wanted.gzip() ? new FastGzip(output) : output) {
      writer.write(encoded, snapshots);
    } catch (TooLargeException e) {
      return tooLarge();
    } catch (IOException e) {
      throw new UncheckedIOException("write metrics: " + e.getMessage(), e);
    }
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", writer.getContentType());
    if (wanted.gzip()) {
      headers.put("Content-Encoding", "gzip");
    }
    headers.put("Vary", "Accept, Accept-Encoding");
    Bytes body = output.toBytes();
    return new Response(200, headers, body);
  }

  private Response tooLarge() {
    return Response.text(
        503,
        "The metrics of this host take more than "
            + maxBytes
            + " bytes; accept gzip (curl --compressed) or give bhlat a larger heap (-Xmx).\n");
  }

  private static Set<String> names(String query) {
    if (query.isEmpty()) {
      return Set.of();
    }
    return Arrays.stream(query.split("&", -1))
        .map(parameter -> parameter.split("=", 2))
        .filter(pair -> pair.length == 2 && decoded(pair[0]).equals("name[]"))
        .map(pair -> decoded(pair[1]))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Metrics repeat themselves so much that the fastest level leaves little to be gained. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, GZIP_BUFFER_BYTES);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
