// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import java.util.concurrent.atomic.AtomicInteger;

/** An open descriptor of a BPF program or link. Closing it detaches and frees. Any thread. */
final class FileDescriptor implements Link {

  private final AtomicInteger number;

  FileDescriptor(int number) {
    this.number = new AtomicInteger(number);
  }

  /** The number, negative once closed. */
  int number() {
    return number.get();
  }

  @Override
  public void close() {
    int open = number.getAndSet(-1);
    if (open >= 0) {
      Libc.close(open);
    }
  }
}
