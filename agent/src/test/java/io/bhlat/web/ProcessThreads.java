// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.File;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** What this process holds, and waiting for it to change. */
final class ProcessThreads {

  private ProcessThreads() {}

  /** Live threads whose names begin so. */
  static long named(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .count();
  }

  static int descriptors() {
    String[] open = new File("/proc/self/fd").list();
    return open == null ? 0 : open.length;
  }

  /** Asks until it is so. */
  static void await(String what, Duration atMost, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadlineNs) {
        throw new AssertionError("not within " + atMost + ": " + what);
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
