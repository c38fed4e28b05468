// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * File descriptor 1, which remembers why it could not be written: a {@link java.io.PrintStream}
 * tells only that something went wrong. Used by one thread.
 */
final class StandardOutput extends OutputStream {

  private static final Path LINK = Path.of("/proc/self/fd/1");

  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
  private @Nullable IOException firstFailure;

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      if (firstFailure == null) {
        firstFailure = e;
      }
      throw e;
    }
  }

  /**
   * Why output was lost; empty if nothing was, or only what nobody wanted to read ({@code | head}).
   */
  Optional<String> failure() {
    return firstFailure == null || isReaderGone()
        ? Optional.empty()
        : Optional.of("write to standard output: " + firstFailure.getMessage());
  }

  /**
   * A pipe or socket can be written until its reader is gone. The error's text cannot be asked:
   * "Broken pipe" is translated by the C library.
   */
  private static boolean isReaderGone() {
    try {
      String target = Files.readSymbolicLink(LINK).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException e) {
      return false; // Then the failure itself is told.
    }
  }
}
