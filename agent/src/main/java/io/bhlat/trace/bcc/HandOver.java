// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.TraceTarget;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one process image attached, for the next to go on with: what it found out of the kernel, the
 * descriptors of maps, programs and links by number, and why what failed did. Both images are of
 * one build: the form carries no version of its own, but the text of the build's. Immutable.
 *
 * @param build the version of bhlat that wrote it
 * @param attachedAt when counting began, of the wall clock
 * @param target the kernel that runs here
 * @param maps descriptors by the map's name
 * @param probes one entry a probe that was tried
 */
public record HandOver(
    String build,
    Instant attachedAt,
    TraceTarget target,
    Map<String, Integer> maps,
    List<HeldProbe> probes) {

  private static final int MAGIC = 0x6268_6c61;
  private static final int LIMIT = 1 << 20;

  public HandOver {
    maps = Map.copyOf(maps);
    probes = List.copyOf(probes);
  }

  /**
   * What became of one probe.
   *
   * @param probe the probe
   * @param failure why it is not attached; empty when it is
   * @param program the program's descriptor, meaningless after a failure
   * @param links descriptors that keep it attached, by function address where there are many
   */
  record HeldProbe(Probe probe, Optional<Failure> failure, int program, Map<Long, Integer> links) {

    HeldProbe {
      links = Map.copyOf(links);
    }

    static HeldProbe failed(Probe probe, BpfException why) {
      Failure failure = new Failure(why.kind(), String.valueOf(why.getMessage()));
      return new HeldProbe(probe, Optional.of(failure), -1, Map.of());
    }

    static HeldProbe attached(Probe probe, Programs.Attached attached) {
      Map<Long, Integer> links = new TreeMap<>();
      attached.link().descriptors().forEach((of, link) -> links.put(of, link.number()));
      return new HeldProbe(probe, Optional.empty(), attached.program().number(), links);
    }
  }

  /** A {@link BpfException} without what clang or the verifier wrote. */
  record Failure(BpfException.Kind kind, String message) {}

  /** The numbers of all descriptors in it. */
  public IntStream descriptors() {
    Stream<Integer> ofPrograms =
        probes.stream()
            .filter(held -> held.failure.isEmpty())
            .flatMap(held -> Stream.concat(Stream.of(held.program), held.links.values().stream()));
    return Stream.concat(maps.values().stream(), ofPrograms).mapToInt(Integer::intValue);
  }

  /** As bytes, for {@link #decode}. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeUTF(build);
      out.writeLong(attachedAt.getEpochSecond());
      out.writeInt(attachedAt.getNano());
      TraceTargetForm.write(target, out);
      out.writeInt(maps.size());
      for (Map.Entry<String, Integer> map : maps.entrySet()) {
        out.writeUTF(map.getKey());
        out.writeInt(map.getValue());
      }
      out.writeInt(probes.size());
      for (HeldProbe held : probes) {
        write(held, out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(HeldProbe held, DataOutputStream out) throws IOException {
    out.writeUTF(held.probe.kind().name());
    out.writeUTF(held.probe.target());
    out.writeUTF(held.probe.program());
    @Nullable Failure failure = held.failure.orElse(null);
    out.writeBoolean(failure != null);
    if (failure != null) {
      out.writeUTF(failure.kind.name());
      out.writeUTF(failure.message);
      return;
    }
    out.writeInt(held.program);
    out.writeInt(held.links.size());
    for (Map.Entry<Long, Integer> link : held.links.entrySet()) {
      out.writeLong(link.getKey());
      out.writeInt(link.getValue());
    }
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @param build the version of bhlat that reads
   * @throws IllegalArgumentException if it is something else or of another build
   */
  public static HandOver decode(byte[] bytes, String build) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readInt() != MAGIC) {
        throw new IllegalArgumentException("it is not one");
      }
      String writer = in.readUTF();
      if (!writer.equals(build)) {
        throw new IllegalArgumentException("it is of bhlat " + writer + ", this is " + build);
      }
      Instant attachedAt = Instant.ofEpochSecond(in.readLong(), in.readInt());
      TraceTarget target = TraceTargetForm.read(in);
      Map<String, Integer> maps = new LinkedHashMap<>();
      for (int left = count(in); left > 0; left--) {
        maps.put(in.readUTF(), in.readInt());
      }
      List<HeldProbe> probes = new ArrayList<>();
      for (int left = count(in); left > 0; left--) {
        probes.add(readProbe(in));
      }
      return new HandOver(writer, attachedAt, target, maps, probes);
    } catch (IOException e) {
      throw new IllegalArgumentException("it ends too early", e);
    }
  }

  private static int count(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > LIMIT) {
      throw new IllegalArgumentException("it is damaged");
    }
    return count;
  }

  private static HeldProbe readProbe(DataInputStream in) throws IOException {
    Probe probe = new Probe(ProbeKind.valueOf(in.readUTF()), in.readUTF(), in.readUTF());
    if (in.readBoolean()) {
      Failure failure = new Failure(BpfException.Kind.valueOf(in.readUTF()), in.readUTF());
      return new HeldProbe(probe, Optional.of(failure), -1, Map.of());
    }
    int program = in.readInt();
    Map<Long, Integer> links = new TreeMap<>();
    for (int left = count(in); left > 0; left--) {
      links.put(in.readLong(), in.readInt());
    }
    return new HeldProbe(probe, Optional.empty(), program, links);
  }
}
