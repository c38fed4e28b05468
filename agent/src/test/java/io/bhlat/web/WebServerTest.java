// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the server makes of requests, good and bad, byte by byte. */
@Timeout(60)
class WebServerTest {

  private WebServer server;

  @BeforeEach
  void start() throws IOException {
    Routes routes =
        Routes.none()
            .withPage("/page", request -> Response.text(200, "page " + request.query() + "\n"))
            .withPage(
                "/fails",
                request -> {
                  throw new IllegalStateException("secret");
                })
            .with(
                "/fails-later",
                request -> CompletableFuture.failedFuture(new IllegalStateException("secret")));
    server =
        WebServer.start(
            ListenAddress.parse("127.0.0.1:0"), routes, Optional.empty(), Limits.ofDaemon());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private RawClient client() throws IOException {
    return new RawClient(server.address().getPort());
  }

  private String ask(String request) throws IOException {
    try (RawClient client = client()) {
      return client.send(request).readAll();
    }
  }

  @Test
  void answersOneRequestAfterTheOtherOnAConnection() throws IOException {
    try (RawClient client = client()) {
      for (int i = 0; i < 3; i++) {
        client.send("GET /page?i=" + i + " HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(client.readUntil("page i=" + i + "\n"))
            .startsWith("HTTP/1.1 200 OK\r\nDate: ")
            .contains("Content-Length: 9\r\nConnection: keep-alive\r\n\r\n");
      }
    }
  }

  @Test
  void answersPipelinedRequestsInOrder() throws IOException {
    String answers =
        ask(
            "GET /page?a HTTP/1.1\r\nHost: x\r\n\r\nGET /page?b HTTP/1.1\r\nHost: x\r\n\r\n"
                + "\r\nGET /page?c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /page?d");
    assertThat(answers).containsSubsequence("page a\n", "page b\n", "page c\n");
    assertThat(answers).doesNotContain("page d");
  }

  @Test
  void refusesRubbishAfterARequestAndAnswersThatOne() throws IOException {
    String answers =
        ask("GET /page?a HTTP/1.1\r\nHost: x\r\n\r\n\u0016\u0003\u0001 rubbish\r\n\r\n");
    assertThat(answers)
        .containsSubsequence("HTTP/1.1 200", "page a\n", "HTTP/1.1 400", "Not an HTTP/1.1 request");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /page HTTP/1.1;;                      | 400 | needs a Host header",
        "GET  /page HTTP/1.1;Host: x;;             | 400 | Not an HTTP/1.1 request",
        "GET /page HTTP/2.0;Host: x;;              | 400 | Not an HTTP/1.1 request",
        "hello;;                                   | 400 | Not an HTTP/1.1 request",
        "GET page HTTP/1.1;Host: x;;               | 400 | begins with /",
        "GET /page HTTP/1.1;Host: x;Bad Name: y;;  | 400 | Header line 2 is none",
        "GET /page HTTP/1.1;Host: x; folded;;      | 400 | Header line 2 is none",
        "GET /none HTTP/1.1;Host: x;Connection: close;; | 404 | metrics are at /metrics",
        "PUT /page HTTP/1.1;Host: x;Connection: close;; | 405 | use GET",
        "GET /fails HTTP/1.0;;                     | 500 | Internal error",
        "GET /fails-later HTTP/1.0;;               | 500 | Internal error",
        "GET /page HTTP/1.0;;                      | 200 | page",
        "GET http://h/page?q HTTP/1.1;Host: x;Connection: close;; | 200 | page q",
      })
  void answersInTextWhatIsWrong(String request, int status, String text) throws IOException {
    String answer = ask(request.strip().replace(";", "\r\n"));
    assertThat(answer)
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("Content-Type: text/plain; charset=utf-8", text)
        .doesNotContain("secret");
  }

  @Test
  void takesLinesThatEndWithoutCarriageReturns() throws IOException {
    assertThat(ask("GET /page HTTP/1.0\n\n")).startsWith("HTTP/1.1 200 OK");
  }

  @Test
  void closesAfterARequestThatHasABody() throws IOException {
    String answer = ask("POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\na=b&c");
    assertThat(answer)
        .startsWith("HTTP/1.1 405 Method Not Allowed")
        .contains("Allow: GET, HEAD", "Connection: close");
  }

  @Test
  void refusesHugeHeadersSayingHowLongTheyMayBe() throws IOException {
    String answer =
        ask("GET /page HTTP/1.1\r\nHost: x\r\nCookie: " + "x".repeat(100_000) + "\r\n\r\n");
    assertThat(answer)
        .startsWith("HTTP/1.1 431 Request Header Fields Too Large")
        .contains("longer than 16384 bytes");
  }

  @Test
  void refusesAnEndlessRequestLine() throws IOException {
    assertThat(ask("GET /" + "x".repeat(200_000))).startsWith("HTTP/1.1 431 ");
  }

  @Test
  void answersHeadWithTheLengthAndWithoutTheBody() throws IOException {
    String answer = ask("HEAD /page?q HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assertThat(answer).contains("Content-Length: 7").endsWith("\r\n\r\n");
  }

  @Test
  void sleepsWhileConnectionsAreIdle() throws Exception {
    try (RawClient client = client()) {
      client.send("GET /page HTTP/1.1\r\nHost: x\r\n\r\n").readUntil("page");
      long before = cpuTimeOfIo();
      Thread.sleep(500);
      assertThat(cpuTimeOfIo() - before).isLessThan(5_000_000L);
    }
  }

  private static long cpuTimeOfIo() {
    java.lang.management.ThreadMXBean threads =
        java.lang.management.ManagementFactory.getThreadMXBean();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("http-io"))
        .mapToLong(thread -> threads.getThreadCpuTime(thread.getId()))
        .sum();
  }
}
