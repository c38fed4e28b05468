// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/1.1 for a few clients that ask for pages and many that misbehave: one thread, {@code
 * http-io}, reads and writes all connections, few workers make the answers, and every resource that
 * a client takes has a bound ({@link Limits}). Thread-safe.
 */
public final class WebServer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WebServer.class);
  private static final int BACKLOG = 256;
  private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(2);

  private final InetSocketAddress address;
  private final IoLoop loop;
  private final Dispatcher dispatcher;
  private final Thread thread;

  private WebServer(InetSocketAddress address, IoLoop loop, Dispatcher dispatcher) {
    this.address = address;
    this.loop = loop;
    this.dispatcher = dispatcher;
    this.thread = new Thread(loop, "http-io");
    thread.setDaemon(true);
  }

  /**
   * Binds the address and serves until closed, with the TLS, users and headers of a configuration.
   *
   * @throws IOException if the address cannot be bound; the message says why and what to do
   */
  public static WebServer start(ListenAddress address, Handler handler, WebSecurity security)
      throws IOException {
    return start(address, security.guard(handler), security.tls(), Limits.ofDaemon());
  }

  static WebServer start(
      ListenAddress address, Handler handler, Optional<EngineSource> tls, Limits limits)
      throws IOException {
    ServerSocketChannel listener = bind(address);
    try {
      Dispatcher dispatcher = new Dispatcher(limits, handler, tls);
      WebServer server =
          new WebServer(
              (InetSocketAddress) listener.getLocalAddress(),
              new IoLoop(listener, limits, dispatcher),
              dispatcher);
      server.thread.start();
      return server;
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  /**
   * Finds out whether {@link #start} will be able to bind an address.
   *
   * @throws IOException if not; as there
   */
  public static void requireFree(ListenAddress address) throws IOException {
    bind(address).close();
  }

  /** Where it listens, with the port that was chosen if 0 was asked for. */
  public InetSocketAddress address() {
    return address;
  }

  /** Connections that are open, a moment ago. */
  public int openConnections() {
    return loop.openConnections();
  }

  /** Stops listening and drops connections; an answer under way is cut off. */
  @Override
  public void close() {
    loop.stop();
    dispatcher.close();
    try {
      thread.join(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      log.warn("stop serving HTTP: still not stopped after {} ms; going on without", CLOSE_MS);
    }
  }

  private static ServerSocketChannel bind(ListenAddress address) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      return listener.bind(address.resolve(), BACKLOG);
    } catch (UnknownHostException e) {
      listener.close();
      throw new IOException(
          "listen on " + address + ": unknown host; use an address of this host", e);
    } catch (SocketException e) {
      listener.close();
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
}
