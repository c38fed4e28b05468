// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Recordings in memory. */
final class Recordings {

  private Recordings() {}

  /** What a recording holds, and what was wrong with its end. */
  record Read(RecordingHeader header, List<RecordedInterval> frames, Optional<String> damage) {

    IntervalSum sum() {
      IntervalSum sum = new IntervalSum();
      frames.forEach(sum::add);
      return sum;
    }
  }

  static byte[] of(List<Snapshot> snapshots) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      RecordingWriter writer = new RecordingWriter(out, Headers.example());
      for (Snapshot snapshot : snapshots) {
        writer.add(snapshot);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  static byte[] of(FlightRecorder recorder, Optional<Duration> since) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      recorder.extract(since).writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  static Read read(byte[] recording) throws IOException {
    List<RecordedInterval> frames = new ArrayList<>();
    try (RecordingReader reader = new RecordingReader(new ByteArrayInputStream(recording))) {
      for (Optional<RecordedInterval> frame = reader.next();
          frame.isPresent();
          frame = reader.next()) {
        frames.add(frame.get());
      }
      return new Read(reader.header(), frames, reader.damage());
    }
  }
}
