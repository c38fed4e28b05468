// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import java.util.concurrent.atomic.AtomicInteger;

/** An open file descriptor, such as one of a BPF program or link. Any thread. */
public final class FileDescriptor implements AutoCloseable {

  private final AtomicInteger number;

  /** Takes over an open descriptor. */
  public FileDescriptor(int number) {
    this.number = new AtomicInteger(number);
  }

  /** The number, negative once closed. */
  public int number() {
    return number.get();
  }

  /**
   * Whether it stays open when this process executes another program.
   *
   * @return false if the kernel refuses: it is not open
   */
  public boolean setKeptOnExec(boolean kept) {
    return Libc.fcntl(number.get(), Libc.F_SETFD, kept ? 0 : Libc.FD_CLOEXEC) == 0;
  }

  /** Idempotent; nothing that goes wrong here can be helped. */
  @Override
  public void close() {
    int open = number.getAndSet(-1);
    if (open >= 0) {
      Libc.close(open);
    }
  }
}
