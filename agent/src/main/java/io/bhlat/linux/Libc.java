// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The few functions of the C library that Java has no equal for, directly mapped. Any thread. Each
 * says that it failed as its manual page does, and {@link #errno} why.
 */
public final class Libc {

  public static final int STDERR = 2;
  public static final int PROT_READ = 1;
  public static final int MAP_SHARED = 1;
  public static final int MFD_CLOEXEC = 1;
  public static final int F_DUPFD_CLOEXEC = 1030;
  static final int F_SETFD = 2;
  static final int FD_CLOEXEC = 1;

  /** What mmap returns when it fails; a long, because -1 as an int would be 32 bits of ones. */
  public static final Pointer MAP_FAILED = Pointer.createConstant(-1L);

  static {
    Native.register(Libc.class, "c");
  }

  private Libc() {}

  public static native Pointer mmap(
      @Nullable Pointer address, long length, int protection, int flags, int file, long offset);

  public static native int munmap(Pointer address, long length);

  public static native int close(int file);

  public static native int dup2(int from, int to);

  public static native int fcntl(int file, int command, int argument);

  public static native int ioctl(int file, long request, long argument);

  public static native int memfd_create(String name, int flags);

  public static native long pread(int file, byte[] buffer, long count, long offset);

  static native long write(int file, byte[] buffer, long count);

  public static native int setenv(String name, String value, int overwrite);

  static native int unsetenv(String name);

  static native int execv(String path, Pointer arguments);

  static native int prctl(int option, long first, long second, long third, long fourth);

  static native Pointer signal(int number, Pointer disposition);

  static native int socket(int domain, int type, int protocol);

  static native long sendto(
      int socket, byte[] message, long length, int flags, byte[] address, int addressLength);

  /**
   * A system call that the C library has no function for: see {@link SystemCall}. Pointers go as
   * {@link Pointer#nativeValue}.
   */
  static native long syscall(
      long number, long first, long second, long third, long fourth, long fifth);

  /** The error number that the last call of this thread left. */
  public static int errno() {
    return Native.getLastError();
  }
}
