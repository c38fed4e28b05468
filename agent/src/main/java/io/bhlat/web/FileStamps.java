// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What changes when files are written, replaced, or made readable: their numbers, sizes and times
 * of change. Symbolic links are followed, so that one that points elsewhere counts as a change.
 *
 * @param byFile attributes, or the error that took their place
 */
record FileStamps(Map<Path, String> byFile) {

  FileStamps {
    byFile = Map.copyOf(byFile);
  }

  static FileStamps of(List<Path> files) {
    Map<Path, String> stamps = new LinkedHashMap<>();
    for (Path file : files) {
      stamps.put(file, stamp(file));
    }
    return new FileStamps(stamps);
  }

  /** An error is not lost: reading the file afterwards meets it too, and says so. */
  private static String stamp(Path file) {
    try {
      return Files.readAttributes(file, "unix:ino,size,ctime").toString();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
