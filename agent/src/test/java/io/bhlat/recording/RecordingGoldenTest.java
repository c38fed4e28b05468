// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.Snapshot;
import io.bhlat.recording.Recordings.Read;
import io.bhlat.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of docs/RECORDING.md, so that a file written today is read by every later version. */
class RecordingGoldenTest {

  private static final String NAME = "recording-1.hex";
  private static final int BYTES_A_LINE = 32;

  private static List<Snapshot> snapshots() {
    SimulatedKernel kernel = new SimulatedKernel(42, 2);
    List<Snapshot> snapshots = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      snapshots.add(kernel.snapshot());
      kernel.happenAnything();
      kernel.pass(Duration.ofSeconds(1));
    }
    return snapshots;
  }

  @Test
  void writesTheBytesThatAreDocumented() {
    StringBuilder lines = new StringBuilder();
    byte[] recording = Recordings.of(snapshots());
    for (int at = 0; at < recording.length; at += BYTES_A_LINE) {
      int end = Math.min(recording.length, at + BYTES_A_LINE);
      lines.append(HexFormat.ofDelimiter(" ").formatHex(recording, at, end)).append('\n');
    }
    Golden.assertMatches(NAME, lines.toString());
  }

  @Test
  void readsWhatTheFirstVersionWrote() throws IOException {
    String lines = Files.readString(Path.of("src", "test", "resources", "golden", NAME));
    Read read = Recordings.read(HexFormat.of().parseHex(lines.replaceAll("\\s", "")));
    List<Snapshot> snapshots = snapshots();
    assertThat(read.damage()).isEmpty();
    assertThat(read.header()).isEqualTo(Headers.example());
    assertThat(read.sum().interval()).isEqualTo(snapshots.get(2).since(snapshots.get(0)));
  }

  /** A frame small enough to be read by eye, as docs/RECORDING.md has it. */
  @Test
  void aFrameOfOneSoftirqIsTheseBytes() {
    SimulatedKernel kernel = new SimulatedKernel(1, 0);
    Snapshot first = kernel.snapshot();
    kernel.pass(Duration.ofSeconds(1));
    Growth nothing = Growth.between(first, kernel.snapshot());
    ByteSink sink = new ByteSink();
    GrowthEncoder encoder = new GrowthEncoder();
    encoder.encode(nothing, sink);
    assertThat(HexFormat.of().formatHex(sink.array(), 0, 1)).isEqualTo("03");
    assertThat(sink.length()).isLessThan(40);
  }
}
