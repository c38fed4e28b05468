// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers: they run the handler and the costly steps of TLS, and end after a minute without
 * work. What they cannot take is refused at once. Any thread.
 */
final class Dispatcher implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);
  private static final Response BUSY =
      Response.busy("Too many requests at once; try again in a second.\n");
  private static final Response FAILED =
      Response.text(500, "Internal error; the log of bhlat says more.\n");

  private final ThreadPoolExecutor workers;
  private final Handler handler;
  private final Optional<EngineSource> tls;

  Dispatcher(Limits limits, Handler handler, Optional<EngineSource> tls) {
    this.handler = handler;
    this.tls = tls;
    this.workers =
        new ThreadPoolExecutor(
            limits.workers(),
            limits.workers(),
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(limits.maxWaiting()),
            new DaemonThreads("http"));
    workers.allowCoreThreadTimeOut(true);
  }

  /** Makes a connection ready for requests; where a worker must, later. */
  void open(Connection connection, SocketChannel channel, IoLoop loop) {
    if (tls.isEmpty()) {
      connection.open(new PlainTransport(channel));
      return;
    }
    EngineSource engines = tls.get();
    try {
      workers.execute(() -> open(connection, channel, loop, engines));
    } catch (RejectedExecutionException e) {
      connection.close();
    }
  }

  private void open(
      Connection connection, SocketChannel channel, IoLoop loop, EngineSource engines) {
    SSLEngine engine;
    try {
      engine = engines.newEngine();
    } catch (RuntimeException e) {
      log.error("begin TLS: failed; the connection is closed", e);
      loop.resume(connection, connection::close);
      return;
    }
    loop.resume(
        connection,
        () -> connection.open(new TlsTransport(channel, engine, connection, loop, workers)));
  }

  /** Answers by a worker, or at once that none is to be had. */
  void answer(Request request, Consumer<Response> reply) {
    try {
      workers.execute(() -> run(request, reply));
    } catch (RejectedExecutionException e) {
      reply.accept(BUSY);
    }
  }

  private void run(Request request, Consumer<Response> reply) {
    try {
      handler
          .handle(request)
          .whenComplete(
              (response, failure) ->
                  reply.accept(failure == null ? response : failed(request, failure)));
    } catch (RuntimeException | OutOfMemoryError e) {
      reply.accept(failed(request, e));
    }
  }

  private static Response failed(Request request, @Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    log.error("answer {}: failed", request.path(), cause);
    return FAILED;
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }
}
