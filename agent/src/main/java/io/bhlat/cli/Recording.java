// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.model.Snapshot;
import io.bhlat.recording.FlightRecorder;
import io.bhlat.trace.bcc.LiveSource;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;

/** The daemon's flight recorder, if it has one: fed by one thread, asked by any. */
final class Recording {

  private static final double NS_PER_SECOND = 1e9;

  private final RecorderFlags flags;
  private final Optional<FlightRecorder> recorder;

  /** Begins with what has been counted so far. */
  Recording(RecorderFlags flags, LiveSource source, Host host) {
    this.flags = flags;
    if (!flags.isOn()) {
      this.recorder = Optional.empty();
      return;
    }
    Snapshot first = source.snapshot();
    FlightRecorder begun =
        new FlightRecorder(
            RecordingHeaders.of(host, source.plan(), first.attachedAt()),
            flags.length,
            flags.maxMemoryBytes);
    begun.add(first);
    this.recorder = Optional.of(begun);
  }

  /** How often it wants a snapshot; absent if never. */
  Optional<Duration> resolution() {
    return recorder.map(r -> flags.resolution);
  }

  void add(Snapshot snapshot) {
    recorder.ifPresent(r -> r.add(snapshot));
  }

  RecordingEndpoint endpoint() {
    return new RecordingEndpoint(recorder, flags.expose);
  }

  /** Its meters; none where nothing is kept. */
  void register(MeterRegistry meters) {
    recorder.ifPresent(
        r -> {
          Gauge.builder("bhlat.agent.recorder.held", r, held -> held.heldNs() / NS_PER_SECOND)
              .baseUnit("seconds")
              .description("Span that the flight recorder holds, in seconds.")
              .register(meters);
          Gauge.builder("bhlat.agent.recorder.memory", r, FlightRecorder::heldBytes)
              .baseUnit("bytes")
              .description("Memory that the flight recorder's frames take, in bytes.")
              .register(meters);
          FunctionCounter.builder(
                  "bhlat.agent.recorder.dropped.frames", r, FlightRecorder::droppedFrames)
              .description("Frames dropped before their time, because memory was full.")
              .register(meters);
        });
  }
}
