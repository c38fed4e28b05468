// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is answered. The server adds Date, Content-Length and Connection, and leaves out the body
 * where the request was HEAD.
 *
 * @param status for example 200
 * @param headers by name, in order; values without line ends
 * @param body shared, not copied
 */
public record Response(int status, Map<String, String> headers, Bytes body) {

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String HTML = "text/html; charset=utf-8";

  public Response {
    headers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    headers.forEach(Response::requireOneLine);
  }

  private static void requireOneLine(String name, String value) {
    if (value.chars().anyMatch(c -> c < ' ' && c != '\t')) {
      throw new IllegalArgumentException("header " + name + ": a control character in its value");
    }
  }

  /** A text for people; it ends its own line. */
  public static Response text(int status, String text) {
    return new Response(status, Map.of("Content-Type", TEXT), Bytes.of(text));
  }

  /** A page. */
  public static Response html(String page) {
    return new Response(200, Map.of("Content-Type", HTML), Bytes.of(page));
  }

  /** 503 for a client that may try again soon. */
  public static Response busy(String text) {
    return text(503, text).with("Retry-After", "1");
  }

  /** The same with another body. */
  public Response withBody(Bytes other) {
    return new Response(status, headers, other);
  }

  /** The same with one more header, which replaces one of that name. */
  public Response with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Response(status, more, body);
  }
}
