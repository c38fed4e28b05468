// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bhlat.model.Interval;
import io.bhlat.model.Snapshot;
import io.bhlat.recording.Recordings.Read;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read again, and what is damaged is told. */
class RecordingTest {

  private static List<Snapshot> snapshots(long seed, int count) {
    SimulatedKernel kernel = new SimulatedKernel(seed, 3);
    List<Snapshot> snapshots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      snapshots.add(kernel.snapshot());
      kernel.happenAnything();
      kernel.pass(Duration.ofMillis(900 + 10 * i));
      if (i == count / 2) {
        kernel.cpuComes();
        kernel.clockIsSet(Duration.ofHours(-3));
      }
    }
    return snapshots;
  }

  @Test
  void givesBackTheHeader() throws IOException {
    assertThat(Recordings.read(Recordings.of(List.of())).header()).isEqualTo(Headers.example());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anySumOfFramesIsTheDifferenceOfTheSnapshotsAtItsEnds(long seed) throws IOException {
    List<Snapshot> snapshots = snapshots(seed, 12);
    Read read = Recordings.read(Recordings.of(snapshots));

    assertThat(read.damage()).isEmpty();
    assertThat(read.frames()).hasSize(snapshots.size() - 1);
    for (int first = 0; first < read.frames().size(); first++) {
      IntervalSum sum = new IntervalSum();
      for (int last = first; last < read.frames().size(); last++) {
        sum.add(read.frames().get(last));
        Interval expected = snapshots.get(last + 1).since(snapshots.get(first));
        assertThat(sum.interval()).isEqualTo(expected);
        assertThat(sum.durationNs()).isEqualTo(expected.durationNs());
      }
      assertThat(read.frames().get(first).interval())
          .isEqualTo(snapshots.get(first + 1).since(snapshots.get(first)));
    }
  }

  @Test
  void readsWhatWasWrittenBeforeItWasCutOffAtAnyByte() throws IOException {
    List<Snapshot> snapshots = snapshots(9, 4);
    byte[] whole = Recordings.of(snapshots);
    int[] ends = new int[snapshots.size()];
    for (int count = 1; count <= snapshots.size(); count++) {
      ends[count - 1] = Recordings.of(snapshots.subList(0, count)).length;
    }
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      if (length < ends[0]) {
        assertThatThrownBy(() -> Recordings.read(cut)).isInstanceOf(RecordingException.class);
        continue;
      }
      Read read = Recordings.read(cut);
      int frames = 0;
      while (ends[frames + 1] <= length) {
        frames++;
      }
      assertThat(read.frames()).as("of %d bytes", length).hasSize(frames);
      int ignored = length - ends[frames];
      assertThat(read.damage())
          .isEqualTo(
              ignored == 0
                  ? Optional.empty()
                  : Optional.of(
                      "it ends within a frame; the last " + ignored + " bytes are ignored"));
      if (frames > 0) {
        assertThat(read.sum().interval()).isEqualTo(snapshots.get(frames).since(snapshots.get(0)));
      }
    }
  }

  @Test
  void noBitThatFlipsGivesAWrongCount() throws IOException {
    List<Snapshot> snapshots = snapshots(10, 4);
    byte[] whole = Recordings.of(snapshots);
    int headerEnd = Recordings.of(List.of()).length;
    Random random = new Random(11);
    for (int flips = 0; flips < 3_000; flips++) {
      byte[] damaged = whole.clone();
      int bit = random.nextInt(8 * whole.length);
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      if (bit / 8 < headerEnd) {
        assertThatThrownBy(() -> Recordings.read(damaged)).isInstanceOf(RecordingException.class);
        continue;
      }
      Read read = Recordings.read(damaged);
      assertThat(read.damage()).as("bit %d", bit).isPresent();
      assertThat(read.frames()).hasSizeLessThan(snapshots.size() - 1);
      for (int i = 0; i < read.frames().size(); i++) {
        assertThat(read.frames().get(i).interval())
            .isEqualTo(snapshots.get(i + 1).since(snapshots.get(i)));
      }
    }
  }

  @Test
  void skipsFramesAndFieldsOfLaterVersions() throws IOException {
    List<Snapshot> snapshots = snapshots(12, 3);
    byte[] whole = Recordings.of(snapshots);
    int headerEnd = Recordings.of(List.of()).length;
    ByteArrayOutputStream later = new ByteArrayOutputStream();
    ByteSink header = new ByteSink();
    byte[] known = HeaderCodec.encode(Headers.example(), Tables.OWN);
    header.putNumber(99);
    header.putText("of a later version");
    header.putBytes(known, 0, known.length);
    Frames.writeStart(later);
    Frames.write(later, Frames.HEADER, header.array(), header.length());
    Frames.write(later, 77, new byte[] {1, 2, 3}, 3);
    later.write(whole, headerEnd, whole.length - headerEnd);

    Read read = Recordings.read(later.toByteArray());
    assertThat(read.header()).isEqualTo(Headers.example());
    assertThat(read.damage()).isEmpty();
    assertThat(read.sum().interval()).isEqualTo(snapshots.get(2).since(snapshots.get(0)));
  }

  @Test
  void refusesWhatItCannotReadAndSaysWhatCan() {
    byte[] later = Recordings.of(List.of());
    later[Frames.MAGIC.length]++;
    assertThatThrownBy(() -> Recordings.read(later))
        .hasMessage(
            "it has format 2 and this bhlat reads format 1; use the version of bhlat that recorded,"
                + " or a newer one");
    assertThatThrownBy(
            () ->
                Recordings.read(
                    "nothing of ours".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .hasMessage("it is no recording of bhlat");
  }

  @Test
  void readsWhereNumbersStandForOtherThings() throws IOException {
    List<String> reversed = new ArrayList<>(Tables.OWN.keyNames());
    java.util.Collections.reverse(reversed);
    ByteSink table = new ByteSink();
    Tables.put(table, reversed);
    assertThat(Tables.takeKeys(new ByteSource(table.toArray())).get(0)).hasToString("softirq RCU");
    ByteSink unknown = new ByteSink();
    Tables.put(unknown, List.of("irq_work"));
    assertThatThrownBy(() -> Tables.takeKeys(new ByteSource(unknown.toArray())))
        .hasMessage("it counts \"irq_work\", which this version does not know");
  }
}
