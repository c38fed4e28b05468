// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Writes the status line and headers of an answer. */
final class ResponseHead {

  private ResponseHead() {}

  static ByteBuffer of(Response response, boolean keepAlive) {
    StringBuilder head = new StringBuilder(256);
    head.append("HTTP/1.1 ")
        .append(response.status())
        .append(' ')
        .append(phrase(response.status()));
    line(
        head,
        "Date",
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            ZonedDateTime.now(Clock.systemUTC()).withZoneSameInstant(ZoneOffset.UTC)));
    response.headers().forEach((name, value) -> line(head, name, value));
    line(head, "Content-Length", Integer.toString(response.body().length()));
    line(head, "Connection", keepAlive ? "keep-alive" : "close");
    head.append("\r\n\r\n");
    return ByteBuffer.wrap(head.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void line(StringBuilder head, String name, String value) {
    head.append("\r\n").append(name).append(": ").append(value);
  }

  private static String phrase(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 408 -> "Request Timeout";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      default -> "Status";
    };
  }
}
