// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the server listens, as given on the command line.
 *
 * @param host a name or address without brackets; empty for all addresses of this host
 * @param port 0 to 65535; 0 for any free one
 */
public record ListenAddress(String host, int port) {

  private static final int MAX_PORT = 65535;

  /** Host or [IPv6 address] or nothing, a colon, the port. */
  private static final Pattern SYNTAX =
      Pattern.compile(
          "(?:\\[(?<ipv6>[0-9A-Fa-f:.%a-z]+)]|(?<host>[^\\[\\]:\\s/]*)):(?<port>\\d{1,5})");

  public ListenAddress {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("a port lies between 0 and " + MAX_PORT + ": " + port);
    }
  }

  /**
   * Parses {@code 127.0.0.1:9971}, {@code localhost:9971}, {@code [::1]:9971} or {@code :9971}.
   *
   * @throws IllegalArgumentException if it is none of them; the message says what is expected
   */
  public static ListenAddress parse(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "listen address \""
              + text
              + "\": expected HOST:PORT, such as 127.0.0.1:9971, [::1]:9971, or :9971 for all"
              + " addresses");
    }
    int port = Integer.parseInt(matcher.group("port"));
    if (port > MAX_PORT) {
      throw new IllegalArgumentException(
          "listen address \"" + text + "\": a port lies between 0 and " + MAX_PORT);
    }
    String ipv6 = matcher.group("ipv6");
    return new ListenAddress(ipv6 == null ? matcher.group("host") : ipv6, port);
  }

  /**
   * The address to bind.
   *
   * @throws UnknownHostException if the host's name has no address
   */
  InetSocketAddress resolve() throws UnknownHostException {
    return host.isEmpty()
        ? new InetSocketAddress(port)
        : new InetSocketAddress(InetAddress.getByName(host), port);
  }

  /** As it is parsed. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
