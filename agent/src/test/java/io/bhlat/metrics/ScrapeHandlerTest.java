// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.web.Request;
import io.bhlat.web.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a scrape gets by what it asks for. */
class ScrapeHandlerTest {

  private static final String PROTOBUF =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

  private final AgentMetrics agent = new AgentMetrics();

  @AfterEach
  void close() {
    agent.close();
  }

  private Response scrape(int maxBytes, String query, Map<String, String> headers) {
    return new ScrapeHandler(agent, maxBytes)
        .handle(
            new Request(
                "GET", "/metrics", query, headers, java.net.InetAddress.getLoopbackAddress()))
        .toCompletableFuture()
        .join();
  }

  private static String text(Response response) {
    return new String(response.body().toArray(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                                                | TEXT",
        "*/*                                                               | TEXT",
        "text/html,application/xhtml+xml,*/*;q=0.8                         | TEXT",
        "application/openmetrics-text                                      | OPEN_METRICS",
        "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.9 | TEXT",
        "application/openmetrics-text;q=0,*/*                              | TEXT",
        "text/plain;q=0.2, application/openmetrics-text; version=1.0.0;q=0.3 | OPEN_METRICS",
        "PROTOBUF;q=0.1,text/plain;version=0.0.4;q=0.2                     | TEXT",
        "PROTOBUF,application/openmetrics-text;q=0.8,text/plain;q=0.5      | PROTOBUF",
        "PROTOBUF;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.2 | PROTOBUF",
        "application/vnd.google.protobuf;proto=other;encoding=delimited    | TEXT",
        "application/json                                                  | TEXT",
      })
  void answersInTheFormatThatIsWantedMost(String accept, ScrapeFormat expected) {
    assertThat(ScrapeFormat.of(Optional.of(accept.replace("PROTOBUF", PROTOBUF))))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"gzip | true", "gzip;q=0 | false", "br, gzip;q=0.3 | true", "identity | false"})
  void compressesOnlyForThoseWhoTakeIt(String accept, boolean expected) {
    Response response = scrape(1 << 20, "", Map.of("accept-encoding", accept));
    assertThat(response.headers().containsKey("Content-Encoding")).isEqualTo(expected);
  }

  @Test
  void givesTheFamiliesThatAreAskedFor() {
    String some =
        text(scrape(1 << 20, "name%5B%5D=jvm_threads_current&name[]=jvm_threads_state", Map.of()));
    assertThat(some)
        .contains("jvm_threads_current ", "jvm_threads_state{")
        .doesNotContain("jvm_memory");
    assertThat(scrape(1 << 20, "name[]=%zz", Map.of()).status()).isEqualTo(400);
  }

  @Test
  void saysWhatToDoWhenAnAnswerWouldTakeTooMuchMemory() {
    Response tooLarge = scrape(1_000, "", Map.of());
    assertThat(tooLarge.status()).isEqualTo(503);
    assertThat(text(tooLarge)).contains("more than 1000 bytes; accept gzip");
    assertThat(scrape(20_000, "", Map.of("accept-encoding", "gzip")).status()).isEqualTo(200);
  }
}
