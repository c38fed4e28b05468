// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/**
 * A copy of this build that every user can read, as the home of the one who builds often cannot.
 */
final class PublicClassPath {

  private static final String OWN_CLASSES = "io/bhlat/cli/Main.class";

  private PublicClassPath() {}

  /** Copies everything but tests into a folder, which becomes readable for all. */
  static String copyTo(Path folder) {
    try {
      for (String element :
          System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
        Path path = Path.of(element);
        if (Files.isRegularFile(path)) {
          Files.copy(path, folder.resolve(path.getFileName()));
        } else if (Files.exists(path.resolve(OWN_CLASSES))) {
          copyTree(path, folder.resolve("classes"));
        }
      }
      readableForAll(folder);
      return folder.resolve("classes") + File.pathSeparator + folder.resolve("*");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copyTree(Path from, Path to) throws IOException {
    for (Path source : list(from)) {
      Files.copy(source, to.resolve(from.relativize(source).toString()));
    }
  }

  private static void readableForAll(Path folder) throws IOException {
    for (Path path : list(folder)) {
      Files.setPosixFilePermissions(
          path,
          PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      return tree.toList();
    }
  }
}
