// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.kernel.CpuSet;
import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.Snapshot;
import io.bhlat.recording.FlightRecorder;
import io.bhlat.recording.RecordingHeader;
import io.bhlat.recording.RecordingReader;
import io.bhlat.trace.ProbePlan;
import io.bhlat.web.Request;
import io.bhlat.web.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** To whom {@code /recording} answers what. */
final class RecordingEndpointTest {

  private static final RecordingHeader HEADER =
      new RecordingHeader(
          "0.1.0",
          Instant.EPOCH,
          "testhost",
          "6.1.0",
          "#1 SMP",
          false,
          CpuSet.of(0),
          CpuSet.of(0),
          new ProbePlan(FastPoolMechanism.TIMER, List.of()),
          Map.of());

  private static FlightRecorder recorder() {
    FlightRecorder recorder =
        new FlightRecorder(HEADER, Duration.ofMinutes(15), FlightRecorder.LEAST_BYTES);
    for (int second = 0; second < 10; second++) {
      recorder.add(
          new Snapshot(
              Instant.EPOCH.plusSeconds(second),
              second * 1_000_000_000L,
              Instant.EPOCH,
              new Counts(Map.of(), Map.of(), Map.of(), CallCounts.NONE)));
    }
    return recorder;
  }

  private static Response ask(RecordingEndpoint endpoint, String query, String peer)
      throws IOException {
    return endpoint.apply(
        new Request("GET", RecordingEndpoint.PATH, query, Map.of(), InetAddress.getByName(peer)));
  }

  private static byte[] body(Response answer) {
    return answer.body().toArray();
  }

  private static String text(Response answer) {
    return new String(body(answer), StandardCharsets.UTF_8);
  }

  private static int frames(Response answer) throws IOException {
    int frames = 0;
    try (RecordingReader reader = new RecordingReader(new ByteArrayInputStream(body(answer)))) {
      while (reader.next().isPresent()) {
        frames++;
      }
    }
    return frames;
  }

  @ParameterizedTest
  @CsvSource({"'', 9", "since=3s, 3", "since=10m, 9"})
  void givesThisHostAsMuchAsItAsksFor(String query, int frames) throws IOException {
    RecordingEndpoint endpoint = new RecordingEndpoint(Optional.of(recorder()), false);
    for (String peer : List.of("127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1")) {
      Response answer = ask(endpoint, query, peer);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(frames(answer)).as(peer).isEqualTo(frames);
    }
  }

  @Test
  void givesOtherHostsNothingUnlessItIsTold() throws IOException {
    for (String peer : List.of("192.0.2.1", "10.0.0.1", "2001:db8::1", "::ffff:192.0.2.1")) {
      Response refused = ask(new RecordingEndpoint(Optional.of(recorder()), false), "", peer);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(text(refused)).contains("--web.expose-recording");
      assertThat(ask(new RecordingEndpoint(Optional.of(recorder()), true), "", peer).status())
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({"since=10, is not a duration", "since=, is not a duration", "from=3s, ?since=10m"})
  void saysWhatIsWrongWithAQuestion(String query, String message) throws IOException {
    Response answer = ask(new RecordingEndpoint(Optional.of(recorder()), false), query, "::1");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(text(answer)).contains(message);
  }

  @Test
  void saysThatNothingIsKept() throws IOException {
    Response answer = ask(new RecordingEndpoint(Optional.empty(), false), "", "::1");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(text(answer)).contains("--recorder.max-memory=off");
  }
}
