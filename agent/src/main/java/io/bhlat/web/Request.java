// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a client asked for. Requests have no body here: one that announces a body is answered and
 * its connection closed.
 *
 * @param method as sent: {@code GET}
 * @param path as sent, still percent-encoded, without the query: {@code /metrics}
 * @param query what follows the question mark, still encoded; empty if there is none
 * @param headers by name in lower case; the values of a repeated one are joined by ", "
 * @param peer who asks, or a proxy for them
 */
public record Request(
    String method, String path, String query, Map<String, String> headers, InetAddress peer) {

  public Request {
    headers = Map.copyOf(headers);
  }

  /** A header by its name in any case. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }
}
