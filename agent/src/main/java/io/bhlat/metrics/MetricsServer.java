// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.config.PrometheusProperties;
import io.prometheus.metrics.exporter.httpserver.HttpErrorHandlingPolicy;
import io.prometheus.metrics.exporter.httpserver.MetricsHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves metrics over HTTP: {@code /metrics} in the text format 0.0.4, OpenMetrics or protobuf as
 * the client accepts, {@code /-/healthy}, {@code /-/ready} and a page for people at {@code /}.
 * Every other path is 404, every method but GET and HEAD is 405.
 *
 * <p>Requests are answered by at most four threads, none of which keeps the JVM alive.
 */
public final class MetricsServer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(MetricsServer.class);
  private static final int THREADS = 4;
  private static final int REQUEST_SECONDS = 5;
  private static final int RESPONSE_SECONDS = 30;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String HTML = "text/html; charset=utf-8";

  private final HttpServer server;
  private final ExecutorService threads;
  private final HttpHandler metrics;
  private final AgentMetrics agent;
  private final Supplier<Readiness> readiness;
  private final Supplier<String> landingPage;

  private MetricsServer(
      HttpServer server,
      AgentMetrics agent,
      Supplier<Readiness> readiness,
      Supplier<String> landingPage) {
    this.server = server;
    this.threads = Executors.newFixedThreadPool(THREADS, new DaemonThreads());
    this.agent = agent;
    this.readiness = readiness;
    this.landingPage = landingPage;
    this.metrics =
        new MetricsHandler(
            PrometheusProperties.get(),
            agent.registry(),
            HttpErrorHandlingPolicy.builder().errorReporter(MetricsServer::report).build());
  }

  /**
   * Binds the address and serves until closed.
   *
   * @param agent holds the registry that is scraped
   * @param readiness asked for every {@code /-/ready}, by any thread
   * @param landingPage HTML, asked for every {@code /}, by any thread
   * @throws IOException if the address cannot be bound; the message says why and what to do
   */
  public static MetricsServer start(
      ListenAddress address,
      AgentMetrics agent,
      Supplier<Readiness> readiness,
      Supplier<String> landingPage)
      throws IOException {
    limitWaiting();
    HttpServer http = bind(address, to -> HttpServer.create(to, 0));
    MetricsServer server = new MetricsServer(http, agent, readiness, landingPage);
    http.setExecutor(server.threads);
    // One context: those of HttpServer match by prefix, so that /metricsfoo would be /metrics.
    http.createContext("/", server::handle);
    http.start();
    return server;
  }

  /**
   * Finds out whether {@link #start} will be able to bind an address.
   *
   * @throws IOException if not; as there
   */
  public static void requireFree(ListenAddress address) throws IOException {
    // Not an HttpServer: one that never ran keeps its socket when it is stopped.
    bind(address, to -> new ServerSocket(to.getPort(), 0, to.getAddress())).close();
  }

  /** Where it listens, with the port that was chosen if 0 was asked for. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Stops listening and drops connections at once; a scrape under way is cut off. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** A client that goes away is its own affair; it is told of only when asked. */
  private static void report(Exception e) {
    if (e instanceof IOException) {
      log.debug("answer a scrape: {}", e.toString());
    } else {
      log.error("answer a scrape: failed", e);
    }
  }

  /**
   * The JDK's server waits for ever for the rest of a request, and for a client to read, unless
   * told otherwise before its first use: four half-open connections would take all threads.
   */
  private static void limitWaiting() {
    setUnlessSet("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
    setUnlessSet("sun.net.httpserver.maxRspTime", RESPONSE_SECONDS);
  }

  private static void setUnlessSet(String property, int seconds) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(seconds));
    }
  }

  private interface Bind<T> {
    T to(InetSocketAddress address) throws IOException;
  }

  private static <T> T bind(ListenAddress address, Bind<T> bind) throws IOException {
    try {
      return bind.to(address.resolve());
    } catch (UnknownHostException e) {
      throw new IOException(
          "listen on " + address + ": unknown host; use an address of this host", e);
    } catch (SocketException e) {
      throw new IOException("listen on " + address + ": " + reason(e), e);
    }
  }

  /** The JDK keeps strerror's text and drops the number. */
  private static String reason(SocketException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("already in use")) {
      return "EADDRINUSE; stop what listens there or choose another port with"
          + " --web.listen-address";
    }
    if (message.contains("assign requested address")) {
      return "EADDRNOTAVAIL; use an address of this host";
    }
    if (message.contains("Permission denied")) {
      return "EACCES; run as root, grant CAP_NET_BIND_SERVICE or choose a port above 1023";
    }
    return message;
  }

  private void handle(HttpExchange exchange) {
    try {
      route(exchange);
    } catch (IOException e) {
      // The client went away; there is nobody to tell.
      log.debug("answer {}: {}", exchange.getRequestURI(), e.toString());
    } catch (RuntimeException e) {
      log.error("answer {}: failed", exchange.getRequestURI(), e);
      sendInternalError(exchange);
    } finally {
      exchange.close();
    }
  }

  private void route(HttpExchange exchange) throws IOException {
    String path = String.valueOf(exchange.getRequestURI().getPath());
    switch (path) {
      case "/metrics", "/-/healthy", "/-/ready", "/" -> {
        String method = exchange.getRequestMethod();
        if (method.equals("GET") || method.equals("HEAD")) {
          answer(exchange, path);
        } else {
          exchange.getResponseHeaders().set("Allow", "GET, HEAD");
          send(exchange, 405, TEXT, method + " is not allowed here; use GET.\n");
        }
      }
      default -> send(exchange, 404, TEXT, "Not found; metrics are at /metrics.\n");
    }
  }

  private void answer(HttpExchange exchange, String path) throws IOException {
    switch (path) {
      case "/metrics" -> scrape(exchange);
      case "/-/healthy" -> send(exchange, 200, TEXT, "bhlat is healthy.\n");
      case "/-/ready" -> {
        Readiness now = readiness.get();
        send(exchange, now.ready() ? 200 : 503, TEXT, now.reason() + "\n");
      }
      default -> send(exchange, 200, HTML, landingPage.get());
    }
  }

  private void scrape(HttpExchange exchange) throws IOException {
    long startNs = System.nanoTime();
    try {
      metrics.handle(exchange);
    } finally {
      agent.scrapes().record(System.nanoTime() - startNs, NANOSECONDS);
    }
  }

  private static void sendInternalError(HttpExchange exchange) {
    try {
      send(exchange, 500, TEXT, "Internal error; the log says more.\n");
    } catch (IOException e) {
      log.debug("answer 500: {}", e.toString());
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(bytes.length));
      exchange.sendResponseHeaders(status, -1);
    } else {
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static final class DaemonThreads implements ThreadFactory {
    private final AtomicInteger number = new AtomicInteger();

    @Override
    public Thread newThread(Runnable task) {
      Thread thread = new Thread(task, "http-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    }
  }
}
