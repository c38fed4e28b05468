// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/** The few functions of the C library that Java has no equal for, directly mapped. */
final class Libc {

  static final int STDERR = 2;
  static final int PROT_READ = 1;
  static final int PROT_WRITE = 2;
  static final int MAP_SHARED = 1;
  static final int MFD_CLOEXEC = 1;
  static final int F_DUPFD_CLOEXEC = 1030;

  /** What mmap returns when it fails; a long, because -1 as an int would be 32 bits of ones. */
  static final Pointer MAP_FAILED = Pointer.createConstant(-1L);

  static {
    Native.register(Libc.class, "c");
  }

  private Libc() {}

  static native Pointer mmap(
      @Nullable Pointer address, long length, int protection, int flags, int file, long offset);

  static native int munmap(Pointer address, long length);

  static native int close(int file);

  static native int dup2(int from, int to);

  static native int fcntl(int file, int command, int argument);

  /** For perf_event_open, which the C library has no function for. */
  static native long syscall(
      long number, Pointer attributes, int pid, int cpu, int group, long flags);

  static native int ioctl(int file, long request, long argument);

  static native int memfd_create(String name, int flags);

  static native long pread(int file, byte[] buffer, long count, long offset);

  static native int setenv(String name, String value, int overwrite);

  /** The error number that the last call of this thread left. */
  static int errno() {
    return Native.getLastError();
  }
}
