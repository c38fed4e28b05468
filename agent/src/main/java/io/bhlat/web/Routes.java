// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Handlers by exact path. Every other path is 404, and every method but GET and HEAD is 405.
 * Immutable.
 */
public final class Routes implements Handler {

  private final Map<String, Handler> handlers;

  private Routes(Map<String, Handler> handlers) {
    this.handlers = handlers;
  }

  /** No path yet. */
  public static Routes none() {
    return new Routes(Map.of());
  }

  /**
   * These and one more.
   *
   * @throws IllegalArgumentException if the path has a handler
   */
  public Routes with(String path, Handler handler) {
    Map<String, Handler> more = new LinkedHashMap<>(handlers);
    if (more.put(path, handler) != null) {
      throw new IllegalArgumentException(path + " has two handlers");
    }
    return new Routes(more);
  }

  /** These and one more, whose answer is there at once. */
  public Routes withPage(String path, Function<Request, Response> page) {
    return with(path, request -> CompletableFuture.completedFuture(page.apply(request)));
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    Handler handler = handlers.get(request.path());
    if (handler == null) {
      return CompletableFuture.completedFuture(
          Response.text(404, "Not found; metrics are at /metrics.\n"));
    }
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return CompletableFuture.completedFuture(
          Response.text(405, request.method() + " is not allowed here; use GET.\n")
              .with("Allow", "GET, HEAD"));
    }
    return handler.handle(request);
  }
}
