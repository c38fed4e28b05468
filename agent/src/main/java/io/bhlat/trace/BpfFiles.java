// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The header tree that libbcc compiles against instead of the kernel's, unpacked into a folder of
 * its own for as long as a compilation needs it.
 */
public final class BpfFiles implements AutoCloseable {

  /** Every header of the bpf folder; a test compares the list with the folder. */
  static final List<String> HEADERS =
      List.of(
          "layout.h",
          "buckets.h",
          "include/asm/page.h",
          "include/linux/bpf_common.h",
          "include/linux/kconfig.h",
          "include/linux/log2.h",
          "include/linux/types.h",
          "include/linux/version.h",
          "include/uapi/linux/bpf.h",
          "include/uapi/linux/if_packet.h");

  private static final String PREFIX = "bhlat-headers-";
  private static final Duration LEFTOVER_AGE = Duration.ofHours(1);

  private final Path folder;

  private BpfFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * Unpacks the headers into a new folder that only this user can read.
   *
   * @throws IOException if the folder for temporary files cannot be written
   */
  public static BpfFiles unpack() throws IOException {
    BpfFiles files = new BpfFiles(Files.createTempDirectory(PREFIX));
    try {
      removeLeftovers(files.folder.resolveSibling(""), Instant.now().minus(LEFTOVER_AGE));
      for (String header : HEADERS) {
        Path file = files.folder.resolve(header);
        Files.createDirectories(file.getParent());
        Files.writeString(file, BpfSource.read(header));
      }
      return files;
    } catch (IOException e) {
      files.close();
      throw e;
    }
  }

  /** Folders of processes that were killed while they compiled, which takes seconds at most. */
  static void removeLeftovers(Path temporary, Instant before) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, PREFIX + "*")) {
      for (Path folder : folders) {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.isWritable(folder)
            && Files.getLastModifiedTime(folder).toInstant().isBefore(before)) {
          new BpfFiles(folder).close();
        }
      }
    } catch (NoSuchFileException | DirectoryIteratorException e) {
      // Another process was faster.
    }
  }

  /** The folder that stands for the kernel's source tree. */
  public Path folder() {
    return folder;
  }

  /** Removes the folder. */
  @Override
  public void close() {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("remove " + folder, e);
    }
  }
}
