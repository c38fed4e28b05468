// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.web.Handler;
import io.bhlat.web.ListenAddress;
import io.bhlat.web.Response;
import io.bhlat.web.Routes;
import io.bhlat.web.WebSecurity;
import io.bhlat.web.WebServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * Serves metrics over HTTP: {@code /metrics} in the text format 0.0.4, OpenMetrics or protobuf as
 * the client accepts, {@code /-/healthy}, {@code /-/ready}, a page for people at {@code /}, and
 * what else it is given.
 *
 * <p>Every other path is 404, every method but GET and HEAD is 405. Where users are configured, all
 * of it is theirs alone. Thread-safe.
 */
public final class MetricsServer implements AutoCloseable {

  private final WebServer server;

  private MetricsServer(WebServer server) {
    this.server = server;
  }

  /**
   * What to serve besides {@code more}.
   *
   * @param agent holds the registry that is scraped
   * @param readiness asked for every {@code /-/ready}, by any thread
   * @param landingPage HTML, asked for every {@code /}, by any thread
   */
  public static Routes routes(
      AgentMetrics agent, Supplier<Readiness> readiness, Supplier<String> landingPage) {
    Handler metrics = new ScrapeHandler(agent);
    return Routes.none()
        .with("/metrics", metrics)
        .withPage("/-/healthy", request -> Response.text(200, "bhlat is healthy.\n"))
        .withPage("/-/ready", request -> ready(readiness.get()))
        .withPage("/", request -> Response.html(landingPage.get()));
  }

  private static Response ready(Readiness now) {
    return Response.text(now.ready() ? 200 : 503, now.reason() + "\n");
  }

  /**
   * Binds the address and serves until closed, in the clear and to everybody.
   *
   * @throws IOException if the address cannot be bound; the message says why and what to do
   */
  public static MetricsServer start(
      ListenAddress address,
      AgentMetrics agent,
      Supplier<Readiness> readiness,
      Supplier<String> landingPage)
      throws IOException {
    return start(address, routes(agent, readiness, landingPage), WebSecurity.NONE);
  }

  /**
   * Binds the address and serves until closed, guarded.
   *
   * @param routes those of {@link #routes} and more
   * @throws IOException if the address cannot be bound; the message says why and what to do
   */
  public static MetricsServer start(ListenAddress address, Routes routes, WebSecurity security)
      throws IOException {
    return new MetricsServer(WebServer.start(address, routes, security));
  }

  /**
   * Finds out whether {@link #start} will be able to bind an address.
   *
   * @throws IOException if not; as there
   */
  public static void requireFree(ListenAddress address) throws IOException {
    WebServer.requireFree(address);
  }

  /** Where it listens, with the port that was chosen if 0 was asked for. */
  public InetSocketAddress address() {
    return server.address();
  }

  /** Stops listening and drops connections at once; a scrape under way is cut off. */
  @Override
  public void close() {
    server.close();
  }
}
