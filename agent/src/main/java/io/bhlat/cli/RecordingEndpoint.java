// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.recording.FlightRecorder;
import io.bhlat.web.BytesOutput;
import io.bhlat.web.Request;
import io.bhlat.web.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code /recording} and {@code /recording?since=10m}: what the flight recorder holds, as a file.
 */
final class RecordingEndpoint implements Function<Request, Response> {

  static final String PATH = "/recording";
  static final String TYPE = "application/vnd.bhlat.recording";
  private static final String SINCE = "since=";

  /** A sixth of the heap: what clients have not read yet is held. */
  private static final int MOST_BYTES =
      (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 6);

  private final Optional<FlightRecorder> recorder;
  private final boolean exposed;

  /**
   * An endpoint.
   *
   * @param recorder absent where nothing is kept
   * @param exposed whether other hosts may ask too
   */
  RecordingEndpoint(Optional<FlightRecorder> recorder, boolean exposed) {
    this.recorder = recorder;
    this.exposed = exposed;
  }

  @Override
  public Response apply(Request request) {
    if (!exposed && !request.peer().isLoopbackAddress()) {
      return Response.text(
          403,
          "recordings are given to clients on the same host only; start bhlat serve with"
              + " --web.expose-recording to give them to others\n");
    }
    if (recorder.isEmpty()) {
      return Response.text(
          404, "no recording is kept: bhlat serve was started with --recorder.max-memory=off\n");
    }
    try {
      Optional<Duration> since =
          Optional.of(request.query()).filter(q -> !q.isEmpty()).map(RecordingEndpoint::since);
      BytesOutput body = new BytesOutput(MOST_BYTES);
      recorder.get().extract(since).writeTo(body);
      return new Response(200, Map.of("Content-Type", TYPE), body.toBytes());
    } catch (BytesOutput.TooLargeException e) {
      return Response.text(
          413, "the recording has more than " + MOST_BYTES + " bytes; ask for less by ?since=1m\n");
    } catch (IOException e) {
      throw new UncheckedIOException("read what was recorded", e);
    } catch (TypeConversionException e) {
      return Response.text(400, e.getMessage() + "\n");
    }
  }

  private static Duration since(String query) {
    if (!query.startsWith(SINCE)) {
      throw new TypeConversionException("'" + query + "' is not understood: ask with ?since=10m");
    }
    return new DurationConverter().convert(query.substring(SINCE.length()));
  }
}
