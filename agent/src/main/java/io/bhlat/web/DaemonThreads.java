// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Names threads NAME-1, NAME-2, ...; none keeps the JVM alive. */
record DaemonThreads(String name, AtomicInteger number) implements ThreadFactory {

  DaemonThreads(String name) {
    this(name, new AtomicInteger());
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
