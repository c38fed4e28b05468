// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.FastPoolMechanism;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the bpf folder as they travel in the agent, compared with the checkout. */
class BpfFilesTest {

  private static final Path BPF = Path.of(System.getProperty("basedir", ".")).resolve("../bpf");

  private static List<String> filesBelow(Path folder, String end) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      return tree.filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .filter(name -> name.endsWith(end))
          .filter(name -> !name.startsWith("lab/") && !name.startsWith("bench/"))
          .sorted()
          .toList();
    }
  }

  @Test
  void everyHeaderOfTheFolderIsListed() throws IOException {
    assertThat(BpfFiles.HEADERS).containsExactlyInAnyOrderElementsOf(filesBelow(BPF, ".h"));
  }

  @Test
  void everyProgramOfTheFolderServesAMeasurement() throws IOException {
    Set<String> used = new TreeSet<>(Set.of("counting.c"));
    for (Measurement measurement : Measurement.values()) {
      for (FastPoolMechanism mechanism : FastPoolMechanism.values()) {
        Ways.to(measurement, mechanism).forEach(way -> used.addAll(way.allFiles()));
      }
    }
    assertThat(ProbePlanner.SOURCE_ORDER).containsExactlyInAnyOrderElementsOf(used);
    try (Stream<Path> files = Files.list(BPF)) {
      assertThat(
              files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".c")))
          .containsExactlyInAnyOrderElementsOf(used);
    }
  }

  @Test
  void unpacksTheHeadersWhereOnlyThisUserCanReadThem() throws IOException {
    try (BpfFiles files = BpfFiles.unpack()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.folder())))
          .isEqualTo("rwx------");
      assertThat(filesBelow(files.folder(), "")).isEqualTo(filesBelow(BPF, ".h"));
      for (String header : BpfFiles.HEADERS) {
        assertThat(files.folder().resolve(header)).hasSameTextualContentAs(BPF.resolve(header));
      }
    }
  }

  @Test
  void closingRemovesAllOfItsOwnAndNothingElse() throws IOException {
    BpfFiles files = BpfFiles.unpack();
    BpfFiles others = BpfFiles.unpack();
    assertThat(others.folder()).isNotEqualTo(files.folder());
    files.close();
    assertThat(files.folder()).doesNotExist();
    assertThat(others.folder()).exists();
    others.close();
    assertThat(others.folder()).doesNotExist();
  }

  @Test
  void removesWhatKilledProcessesLeftBehind(@TempDir Path temporary) throws IOException {
    Path leftover = Files.createDirectories(temporary.resolve("bhlat-headers-1/include/linux"));
    Files.writeString(leftover.resolve("types.h"), "");
    Path other = Files.createDirectory(temporary.resolve("somebody-elses"));
    BpfFiles.removeLeftovers(temporary, Instant.now().minusSeconds(60));
    assertThat(leftover).as("too young: it may be in use").exists();
    BpfFiles.removeLeftovers(temporary, Instant.now().plusSeconds(60));
    assertThat(temporary.resolve("bhlat-headers-1")).doesNotExist();
    assertThat(other).exists();
  }
}
