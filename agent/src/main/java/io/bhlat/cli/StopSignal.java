// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGINT and SIGTERM as a request: the command ends what it does, prints it, and its own exit code
 * is the process's. The JVM would otherwise exit with 130 or 143 while the command still prints.
 */
final class StopSignal {

  /** How long a command may take to end; beyond that the process goes, and the kernel cleans up. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile int exitCode = ExitCode.OK;

  /** Begins to catch signals. */
  static StopSignal install() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(signal::onShutdown, "stop-signal"));
    return signal;
  }

  /** Runs in the JVM's shutdown: after a signal, or when the command has ended by itself. */
  private void onShutdown() {
    if (finished.getCount() == 0) {
      return;
    }
    requested.countDown();
    try {
      if (finished.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        System.out.flush();
        Runtime.getRuntime().halt(exitCode);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the command was asked to stop. */
  boolean isRequested() {
    return requested.getCount() == 0;
  }

  /**
   * Waits until the command is asked to stop, at most that long.
   *
   * @return whether it was
   */
  boolean await(Duration atMost) {
    try {
      return requested.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** The command has ended and said all it had to say. */
  void finished(int code) {
    exitCode = code;
    finished.countDown();
  }
}
