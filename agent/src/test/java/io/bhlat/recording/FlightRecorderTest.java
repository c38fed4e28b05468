// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.Snapshot;
import io.bhlat.model.SoftirqVector;
import io.bhlat.model.WorkKey;
import io.bhlat.recording.Recordings.Read;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a flight recorder still holds, and how much memory that takes. */
class FlightRecorderTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long PLENTY = 16 << 20;

  private final SimulatedKernel kernel = new SimulatedKernel(1, 2);
  private final List<Snapshot> snapshots = new ArrayList<>();

  private FlightRecorder recorder(Duration length, long maxBytes) {
    return new FlightRecorder(Headers.example(), length, maxBytes);
  }

  private void record(FlightRecorder recorder, int seconds) {
    for (int second = 0; second < seconds; second++) {
      Snapshot snapshot = kernel.snapshot();
      recorder.add(snapshot);
      snapshots.add(snapshot);
      kernel.happenAnything();
      kernel.pass(SECOND);
    }
  }

  private static Read read(FlightRecorder recorder, Optional<Duration> since) throws IOException {
    Read read = Recordings.read(Recordings.of(recorder, since));
    assertThat(read.damage()).isEmpty();
    return read;
  }

  /** The recording ends at the newest snapshot, and its sum is the difference to an older one. */
  private void assertExact(Read read) {
    int last = snapshots.size() - 1;
    Snapshot first = snapshots.get(last - read.frames().size());
    assertThat(read.sum().interval()).isEqualTo(snapshots.get(last).since(first));
  }

  @Test
  void holdsNothingAtFirst() throws IOException {
    FlightRecorder recorder = recorder(Duration.ofMinutes(15), PLENTY);
    assertThat(read(recorder, Optional.empty()).frames()).isEmpty();
    recorder.add(kernel.snapshot());
    assertThat(recorder.heldNs()).isZero();
    assertThat(recorder.heldBytes()).isZero();
    assertThat(read(recorder, Optional.of(SECOND)).frames()).isEmpty();
  }

  @Test
  void givesWhatWasCountedSinceToTheFrame() throws IOException {
    FlightRecorder recorder = recorder(Duration.ofMinutes(15), PLENTY);
    record(recorder, 200);
    assertThat(recorder.heldNs()).isEqualTo(Duration.ofSeconds(199).toNanos());
    assertThat(read(recorder, Optional.empty()).frames()).hasSize(199);
    for (int seconds : List.of(1, 10, 18, 19, 20, 60, 79, 80, 81, 150, 198, 199, 1_000)) {
      Read read = read(recorder, Optional.of(Duration.ofSeconds(seconds)));
      assertThat(read.frames()).as("since %d s", seconds).hasSize(Math.min(seconds, 199));
      assertExact(read);
    }
  }

  @Test
  void dropsWhatIsOlderThanItsLength() throws IOException {
    FlightRecorder recorder = recorder(Duration.ofMinutes(2), PLENTY);
    record(recorder, 500);
    // Whole blocks of a minute go.
    assertThat(Duration.ofNanos(recorder.heldNs()))
        .isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
    assertThat(recorder.droppedFrames()).isZero();
    Read read = read(recorder, Optional.empty());
    assertThat(read.sum().durationNs()).isEqualTo(recorder.heldNs());
    assertExact(read);
  }

  @Test
  void dropsTheOldestWhenMemoryIsFullAndTellsTheSpanThatIsLeft() throws IOException {
    long maxBytes = 200_000;
    FlightRecorder recorder = recorder(Duration.ofMinutes(15), maxBytes);
    for (int i = 0; i < 30; i++) {
      record(recorder, 10);
      assertThat(recorder.heldBytes()).isLessThanOrEqualTo(maxBytes);
    }
    assertThat(recorder.heldBytes()).isGreaterThan(maxBytes / 2);
    assertThat(recorder.droppedFrames()).isPositive();
    Read read = read(recorder, Optional.empty());
    assertThat(read.sum().durationNs()).isEqualTo(recorder.heldNs()).isPositive();
    assertThat(read.frames()).hasSize(299 - (int) recorder.droppedFrames());
    assertExact(read);
  }

  @Test
  void holdsNothingRatherThanTooMuch() throws IOException {
    FlightRecorder recorder =
        new FlightRecorder(Headers.example(), Duration.ofMinutes(15), FlightRecorder.LEAST_BYTES);
    SimulatedKernel large = new SimulatedKernel(2, 64);
    for (int i = 0; i < 5; i++) {
      recorder.add(large.snapshot());
      large.happenAnything();
      large.pass(SECOND);
      assertThat(recorder.heldBytes()).isLessThanOrEqualTo(FlightRecorder.LEAST_BYTES);
    }
    assertThat(recorder.droppedFrames()).isPositive();
    assertThat(read(recorder, Optional.empty()).sum().durationNs()).isEqualTo(recorder.heldNs());
  }

  @Test
  void agesByTheMonotonicClockWhateverTheWallClockDoes() throws IOException {
    FlightRecorder recorder = recorder(Duration.ofMinutes(15), PLENTY);
    record(recorder, 40);
    kernel.clockIsSet(Duration.ofHours(-5));
    record(recorder, 40);
    kernel.clockIsSet(Duration.ofHours(30));
    record(recorder, 40);
    Read read = read(recorder, Optional.of(Duration.ofSeconds(100)));
    assertThat(read.frames()).hasSize(100);
    assertThat(read.frames())
        .isSortedAccordingTo(java.util.Comparator.comparing(RecordedInterval::fromNs));
    assertThat(read.sum().durationNs()).isEqualTo(Duration.ofSeconds(100).toNanos());
    assertExact(read);
  }

  /**
   * The numbers of docs/RECORDING.md, "Size": each CPU runs softirqs of five vectors, work items
   * and functions in every second.
   */
  @Test
  void takesAFewDozenBytesACpuAndSecond() {
    int cpus = 256;
    FlightRecorder recorder = recorder(Duration.ofMinutes(15), 1L << 30);
    SimulatedKernel large = new SimulatedKernel(3, cpus);
    int seconds = 60;
    for (int second = 0; second <= seconds; second++) {
      recorder.add(large.snapshot());
      for (int cpu = 0; cpu < cpus; cpu++) {
        large.run(cpu, WorkKey.of(SoftirqVector.TIMER), 250, 3_000);
        large.run(cpu, WorkKey.of(SoftirqVector.SCHED), 60, 2_000);
        large.run(cpu, WorkKey.of(SoftirqVector.RCU), 100, 4_000);
        large.run(cpu, WorkKey.of(SoftirqVector.NET_RX), 40, 900);
      }
      for (int function = 0; function < 64; function++) {
        large.runFunction(function, 20);
      }
      large.pass(SECOND);
    }
    double perCpu = (double) recorder.heldBytes() / cpus / seconds;
    assertThat(perCpu).as("bytes a CPU and second").isBetween(50.0, 200.0);
  }
}
