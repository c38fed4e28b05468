// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A tree of files that stands for a host. */
public final class FixtureHost {
  private final HostFiles files;

  public FixtureHost(Path root) {
    files = new HostFiles(root);
  }

  public HostFiles files() {
    return files;
  }

  public FixtureHost with(String hostPath, String text) {
    return with(hostPath, text.getBytes(StandardCharsets.UTF_8));
  }

  public FixtureHost with(String hostPath, byte[] content) {
    try {
      Path path = files.path(hostPath);
      Files.createDirectories(path.resolve("..").normalize());
      Files.write(path, content);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A directory; where a file is expected it cannot be read, not even by root. */
  public FixtureHost withDirectory(String hostPath) {
    try {
      Files.createDirectories(files.path(hostPath));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public FixtureHost withLink(String hostPath, String target) {
    try {
      Path path = files.path(hostPath);
      Files.createDirectories(path.resolve("..").normalize());
      Files.createSymbolicLink(path, Path.of(target));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
