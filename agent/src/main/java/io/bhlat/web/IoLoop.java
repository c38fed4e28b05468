// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import io.bhlat.web.Connection.State;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that reads and writes all connections and waits for none of them. It sleeps until one
 * is ready, a worker has something for it, or a connection's time is over.
 */
final class IoLoop implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(IoLoop.class);

  /** How soon it is looked whether a connection has become free. */
  private static final long FULL_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

  /** How long nothing is tried again that failed, mostly accepting for want of descriptors. */
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Selector selector;
  private final ServerSocketChannel listener;
  private final SelectionKey acceptKey;
  private final Limits limits;
  private final Dispatcher dispatcher;
  private final Scratch scratch = new Scratch();
  private final Set<Connection> connections = new LinkedHashSet<>();
  private final HeldBodies held;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private boolean acceptFails;
  private long acceptAgainNs = Long.MAX_VALUE;
  private volatile int open;
  private volatile boolean closing;

  IoLoop(ServerSocketChannel listener, Limits limits, Dispatcher dispatcher) throws IOException {
    this.listener = listener;
    this.limits = limits;
    this.dispatcher = dispatcher;
    this.held = new HeldBodies(limits.maxHeldBytes());
    this.selector = Selector.open();
    listener.configureBlocking(false);
    this.acceptKey = listener.register(selector, SelectionKey.OP_ACCEPT);
  }

  Limits limits() {
    return limits;
  }

  Scratch scratch() {
    return scratch;
  }

  /** Connections that are open, as of the last turn. Any thread. */
  int openConnections() {
    return open;
  }

  /** Runs something on this thread soon. Any thread. */
  void later(Runnable task) {
    tasks.add(task);
    selector.wakeup();
  }

  /** Ends the loop and closes everything, soon. Any thread. */
  void stop() {
    closing = true;
    selector.wakeup();
  }

  @Override
  public void run() {
    while (!closing) {
      try {
        turn();
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        log.error("serve HTTP: a turn failed; going on", e);
        LockSupport.parkNanos(PAUSE_NS);
      }
    }
    new ArrayList<>(connections).forEach(Connection::close);
    try (selector) {
      listener.close();
    } catch (IOException e) {
      log.debug("stop listening: {}", e.toString());
    }
  }

  private void turn() throws IOException {
    long waitMs = waitMs();
    if (waitMs == 0) {
      selector.selectNow(this::ready);
    } else {
      selector.select(this::ready, waitMs == Long.MAX_VALUE ? 0 : waitMs);
    }
    Runnable task = tasks.poll();
    while (task != null) {
      task.run();
      task = tasks.poll();
    }
    expire(System.nanoTime());
    open = connections.size();
  }

  /** Milliseconds to the next deadline, rounded up; 0 if it has passed. */
  private long waitMs() {
    long nowNs = System.nanoTime();
    long earliestNs = acceptAgainNs == Long.MAX_VALUE ? Long.MAX_VALUE : acceptAgainNs - nowNs;
    for (Connection connection : connections) {
      if (connection.deadlineNs() != Long.MAX_VALUE) {
        earliestNs = Math.min(earliestNs, connection.deadlineNs() - nowNs);
      }
    }
    return earliestNs == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : TimeUnit.NANOSECONDS.toMillis(Math.max(0, earliestNs + 999_999));
  }

  private void expire(long nowNs) {
    if (acceptAgainNs != Long.MAX_VALUE && acceptAgainNs - nowNs <= 0) {
      acceptAgainNs = Long.MAX_VALUE;
      acceptKey.interestOps(SelectionKey.OP_ACCEPT);
    }
    for (Connection connection : new ArrayList<>(connections)) {
      if (connection.deadlineNs() != Long.MAX_VALUE && connection.deadlineNs() - nowNs <= 0) {
        connection.expire();
      }
    }
  }

  private void ready(SelectionKey key) {
    if (key == acceptKey) {
      accept();
    } else if (key.isValid() && key.attachment() instanceof Connection connection) {
      guarded(connection, connection::advance);
    }
  }

  /** A mistake of ours in one connection is no other's affair. */
  private static void guarded(Connection connection, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      log.error("serve a connection: failed; it is closed", e);
      connection.close();
    }
  }

  private void accept() {
    try {
      while (hasRoom()) {
        SocketChannel channel = listener.accept();
        if (channel == null) {
          return;
        }
        admit(channel);
        acceptFails = false;
      }
      pauseAccepting(
          FULL_PAUSE_NS); // Every client is waiting for us: more of them wait in the kernel.
    } catch (IOException e) {
      if (!acceptFails) {
        acceptFails = true;
        log.warn(
            "accept a connection: {}; one that waits is closed for it, and it is tried again. Raise"
                + " LimitNOFILE of the service if this comes back",
            e.getMessage());
      }
      longestWaiting().ifPresent(Connection::close);
      pauseAccepting(PAUSE_NS);
    }
  }

  private boolean hasRoom() {
    return connections.size() < limits.maxConnections() || longestWaiting().isPresent();
  }

  private void pauseAccepting(long pauseNs) {
    acceptKey.interestOps(0);
    acceptAgainNs = System.nanoTime() + pauseNs;
  }

  private void admit(SocketChannel channel) throws IOException {
    try {
      if (connections.size() >= limits.maxConnections()) {
        longestWaiting().ifPresent(Connection::close);
      }
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      SelectionKey key = channel.register(selector, 0);
      Connection connection = new Connection(channel, key, this);
      key.attach(connection);
      connections.add(connection);
      guarded(connection, () -> dispatcher.open(connection, channel, this));
    } catch (IOException e) {
      channel.close();
      log.debug("admit a connection: {}", e.toString());
    }
  }

  /**
   * Who gives way: of those that wait for their client, the one that waits longest. A client that
   * sends its request at once is never among them, however many others do not.
   */
  private Optional<Connection> longestWaiting() {
    return longest(c -> c.state() == State.DRAINING)
        .or(() -> longest(c -> c.state() == State.RECEIVING || c.state() == State.OPENING))
        .or(() -> longest(c -> c.state() == State.SENDING));
  }

  private Optional<Connection> longest(Predicate<Connection> eligible) {
    long nowNs = System.nanoTime();
    return connections.stream()
        .filter(eligible)
        .max(Comparator.comparingLong(connection -> nowNs - connection.sinceNs()));
  }

  /** Hands a request to the workers. */
  void answer(Connection connection, Request request) {
    dispatcher.answer(
        request, response -> later(() -> guarded(connection, () -> connection.respond(response))));
  }

  /** Runs something for a connection on this thread soon. Any thread. */
  void resume(Connection connection, Runnable step) {
    later(() -> guarded(connection, step));
  }

  /** A body is about to be written: those who hold others for long go if it is too much. */
  void hold(Bytes body) {
    held.add(body);
    while (held.tooMany()) {
      Optional<Connection> slowest =
          longest(c -> c.body().filter(other -> other != body).isPresent());
      if (slowest.isEmpty()) {
        return;
      }
      slowest.get().close();
    }
  }

  void release(Bytes body) {
    held.remove(body);
  }

  void forget(Connection connection) {
    connections.remove(connection);
  }
}
