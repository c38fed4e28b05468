// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request line with its headers, as RFC 9112 has it.
 *
 * @param request what is asked for
 * @param keepAlive whether the connection goes on after the answer
 */
record Head(Request request, boolean keepAlive) {

  private static final Pattern REQUEST_LINE =
      Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) (\\p{Graph}+) HTTP/1\\.([01])");
  private static final Pattern HEADER =
      Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)", Pattern.DOTALL);
  private static final Pattern ABSOLUTE = Pattern.compile("(?i)https?://[^/?#]+");

  /**
   * Parses a whole head.
   *
   * @param bytes the lines, the empty last one may be missing
   * @param peer who sent it
   * @throws BadRequestException if it is none; the message says what is wrong
   */
  static Head parse(byte[] bytes, int length, InetAddress peer) throws BadRequestException {
    String[] lines = new String(bytes, 0, length, StandardCharsets.ISO_8859_1).split("\r?\n", -1);
    Matcher line = REQUEST_LINE.matcher(lines[0]);
    if (!line.matches()) {
      throw new BadRequestException(
          400, "Not an HTTP/1.1 request: expected a line such as GET /metrics HTTP/1.1.");
    }
    Map<String, String> headers = headers(lines);
    boolean version11 = line.group(3).equals("1");
    if (version11 && !headers.containsKey("host")) {
      throw new BadRequestException(400, "A request of HTTP/1.1 needs a Host header.");
    }
    return new Head(
        request(line.group(1), line.group(2), headers, peer), keepAlive(version11, headers));
  }

  private static Map<String, String> headers(String[] lines) throws BadRequestException {
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
      Matcher header = HEADER.matcher(lines[i]);
      if (!header.matches() || lines[i].chars().anyMatch(c -> c < ' ' && c != '\t')) {
        throw new BadRequestException(400, "Header line " + i + " is none: expected Name: value.");
      }
      headers.merge(
          header.group(1).toLowerCase(Locale.ROOT),
          header.group(2).strip(),
          (a, b) -> a + ", " + b);
    }
    return headers;
  }

  private static Request request(
      String method, String target, Map<String, String> headers, InetAddress peer)
      throws BadRequestException {
    Matcher absolute = ABSOLUTE.matcher(target);
    String local = absolute.lookingAt() ? target.substring(absolute.end()) : target;
    int question = local.indexOf('?');
    String path = question < 0 ? local : local.substring(0, question);
    if (path.isEmpty() && absolute.lookingAt()) {
      path = "/";
    }
    if (!path.startsWith("/")) {
      throw new BadRequestException(400, "The target of a request begins with /, as in /metrics.");
    }
    return new Request(
        method, path, question < 0 ? "" : local.substring(question + 1), headers, peer);
  }

  /** What follows a body cannot be told from it without reading it: such connections end. */
  private static boolean keepAlive(boolean version11, Map<String, String> headers) {
    if (headers.containsKey("transfer-encoding")
        || !headers.getOrDefault("content-length", "0").equals("0")) {
      return false;
    }
    String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
    return version11 ? !connection.contains("close") : connection.contains("keep-alive");
  }
}
