// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.linux.Libc;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * Catches what native code writes to file descriptor 2, where libbcc and clang put their
 * diagnostics.
 *
 * <p>The descriptor belongs to the process: whatever any thread writes to stderr meanwhile is
 * caught too. Calls are serialised; they are made while compiling and attaching, when nothing else
 * runs.
 */
final class NativeStderr {

  /** More diagnostics than anybody reads. */
  private static final int LIMIT_BYTES = 256 * 1024;

  private NativeStderr() {}

  /** What a call returned and what was written to stderr meanwhile. */
  record Captured<T>(T value, String text) {}

  /** Runs a native call; if stderr cannot be caught, its diagnostics go to stderr as they would. */
  static synchronized <T> Captured<T> capture(Supplier<T> call) {
    int saved = Libc.fcntl(Libc.STDERR, Libc.F_DUPFD_CLOEXEC, 3);
    int buffer = saved < 0 ? -1 : Libc.memfd_create("stderr", Libc.MFD_CLOEXEC);
    if (buffer < 0) {
      close(saved);
      return new Captured<>(call.get(), "");
    }
    try {
      System.err.flush();
      Libc.dup2(buffer, Libc.STDERR);
      T value;
      try {
        value = call.get();
      } finally {
        Libc.dup2(saved, Libc.STDERR);
      }
      return new Captured<>(value, contents(buffer));
    } finally {
      close(buffer);
      close(saved);
    }
  }

  private static String contents(int file) {
    byte[] bytes = new byte[LIMIT_BYTES];
    long length = Libc.pread(file, bytes, bytes.length, 0);
    return length <= 0 ? "" : new String(bytes, 0, (int) length, StandardCharsets.UTF_8);
  }

  private static void close(int file) {
    if (file >= 0) {
      Libc.close(file);
    }
  }
}
