// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread that looks for functions to probe, four times a second, until it is closed. The
 * first failure ends it, and is thrown by every later {@link #look}.
 */
final class CallbackWatch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(CallbackWatch.class);
  private static final long PERIOD_MS = 250;

  private final CallbackProbes probes;
  private final Thread thread;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private volatile boolean closed;

  private CallbackWatch(CallbackProbes probes) {
    this.probes = probes;
    this.thread = new Thread(this::run, "bhlat-callbacks");
    thread.setDaemon(true);
  }

  static CallbackWatch start(CallbackProbes probes) {
    CallbackWatch watch = new CallbackWatch(probes);
    watch.thread.start();
    return watch;
  }

  private void run() {
    try {
      while (!closed) {
        probes.probeFound();
        Thread.sleep(PERIOD_MS);
      }
    } catch (InterruptedException e) {
      // Closed.
    } catch (BpfException | RuntimeException e) {
      failure.set(e);
      log.error(
          "the functions that tasklets run are not looked for any more: those of new functions are"
              + " lost as start_missed; restart bhlat, and please report this",
          e);
    }
  }

  /**
   * Looks now; does nothing once closed. Any thread.
   *
   * @throws BpfException if a map cannot be read or written, now or earlier
   */
  void look() throws BpfException {
    Exception earlier = failure.get();
    if (earlier instanceof BpfException e) {
      throw e;
    }
    if (earlier != null) {
      throw new IllegalStateException("look for the functions that tasklets run", earlier);
    }
    if (!closed) {
      probes.probeFound();
    }
  }

  /** Waits for the thread to end. False: it goes on. */
  boolean awaitEnd(long timeoutMs) throws InterruptedException {
    thread.join(timeoutMs);
    return !thread.isAlive();
  }

  /** Returns when the thread has ended; it looks no more. Idempotent. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
