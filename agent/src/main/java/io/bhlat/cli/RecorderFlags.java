// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.recording.FlightRecorder;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of the daemon's flight recorder. */
final class RecorderFlags {

  private static final Duration FINEST = Duration.ofMillis(100);

  @Option(
      names = "--recorder.length",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "15m",
      description =
          "How much of the past is kept in memory for `bhlat hist --from-daemon` and `bhlat record"
              + " --from-daemon`. Default: ${DEFAULT-VALUE}.")
  Duration length = Duration.ofMinutes(15);

  @Option(
      names = "--recorder.resolution",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "1s",
      description = "How often the counts are read for that. Default: ${DEFAULT-VALUE}.")
  Duration resolution = Duration.ofSeconds(1);

  @Option(
      names = "--recorder.max-memory",
      paramLabel = "SIZE",
      converter = ByteSizeConverter.class,
      defaultValue = "4m",
      description =
          "Memory for that: 512k, 8m, 1g; when it is full, the oldest goes earlier. 0 or off: keep"
              + " nothing. Default: ${DEFAULT-VALUE}.")
  long maxMemoryBytes = 4 << 20;

  @Option(
      names = "--web.expose-recording",
      description =
          "Give recordings to other hosts too, at /recording and guarded as /metrics is. By default"
              + " only this host gets them.")
  boolean expose;

  /** Whether anything is to be kept. */
  boolean isOn() {
    return maxMemoryBytes > 0;
  }

  /** Refuses what makes no sense, before anything is attached. */
  void check() {
    if (isOn() && maxMemoryBytes < FlightRecorder.LEAST_BYTES) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--recorder.max-memory takes at least %dk, or off"
              .formatted(FlightRecorder.LEAST_BYTES >> 10));
    }
    if (resolution.compareTo(FINEST) < 0) {
      throw new CommandFailure(
          ExitCode.USAGE, "--recorder.resolution takes at least " + FINEST.toMillis() + "ms");
    }
    if (length.compareTo(resolution) < 0) {
      throw new CommandFailure(
          ExitCode.USAGE, "--recorder.length is shorter than --recorder.resolution");
    }
  }
}
