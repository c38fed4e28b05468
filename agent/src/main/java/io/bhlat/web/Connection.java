// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: its requests one after the other, each read whole before a worker sees it, each
 * answer held ready before it is written.
 *
 * <pre>
 *  OPENING ──> RECEIVING ──> ANSWERING ──> SENDING ──> RECEIVING ...
 *  (TLS only)     │ nonsense                 ▲ │ no more requests
 *                 └──────────────────────────┘ └──> DRAINING ──> closed
 * </pre>
 *
 * <p>While an answer is made or written nothing is read, so that what a client sends ahead waits in
 * its own buffers. Only the server's I/O thread.
 */
final class Connection {

  private static final Logger log = LoggerFactory.getLogger(Connection.class);

  /** How long a client that was told to go away may take to read that. */
  private static final long DRAIN_NS = 1_000_000_000L;

  private static final int MAX_DRAINED_BYTES = 256 * 1024;

  /** What it waits for. */
  enum State {
    OPENING,
    RECEIVING,
    ANSWERING,
    SENDING,
    DRAINING,
    CLOSED
  }

  private final SocketChannel channel;
  private final SelectionKey key;
  private final IoLoop loop;
  private final HeadBuffer input;

  private @Nullable Transport transport;
  private State state = State.OPENING;
  private long sinceNs;
  private long deadlineNs;
  private boolean receivedPart;
  private boolean keepAlive;
  private boolean headOnly;
  private @Nullable Sending sending;
  private int drained;

  Connection(SocketChannel channel, SelectionKey key, IoLoop loop) {
    this.channel = channel;
    this.key = key;
    this.loop = loop;
    this.input = new HeadBuffer(loop.limits().maxHeadBytes(), channel.socket().getInetAddress());
    enter(State.OPENING, loop.limits().headTime().toNanos());
  }

  State state() {
    return state;
  }

  /** When it began to wait for what it waits for now. */
  long sinceNs() {
    return sinceNs;
  }

  /** When it is closed if that has not come. */
  long deadlineNs() {
    return deadlineNs;
  }

  /** What is being written, if anything is. */
  Optional<Bytes> body() {
    return Optional.ofNullable(sending).map(Sending::body);
  }

  /** Requests can be read, the first within the time of opening. */
  void open(Transport through) {
    if (state != State.OPENING) {
      return;
    }
    transport = through;
    state = State.RECEIVING;
    receivedPart = true;
    advance();
  }

  private void enter(State next, long waitNs) {
    state = next;
    sinceNs = System.nanoTime();
    deadlineNs = waitNs == Long.MAX_VALUE ? Long.MAX_VALUE : sinceNs + waitNs;
  }

  /** Goes on as far as it can without waiting. */
  void advance() {
    try {
      boolean again = true;
      while (again) {
        again =
            switch (state) {
              case RECEIVING -> receive();
              case SENDING -> send();
              case DRAINING -> drain();
              case OPENING, ANSWERING -> await(0);
              case CLOSED -> false;
            };
      }
    } catch (NotTlsException e) {
      transport = new PlainTransport(channel);
      refuse(NotTlsException.response());
    } catch (IOException | RejectedExecutionException e) {
      log.debug("connection closed: {}", e.toString());
      finishAndClose();
    }
  }

  private boolean await(int operations) {
    if (key.isValid()) {
      key.interestOps(operations);
    }
    return false;
  }

  private boolean receive() throws IOException {
    try {
      Optional<Head> head = input.take();
      if (head.isPresent()) {
        answer(head.get());
        return true;
      }
    } catch (BadRequestException e) {
      refuse(e.response());
      return true;
    }
    ByteBuffer plain = loop.scratch().plain().clear();
    int count = through().read(plain);
    if (count == Transport.END) {
      finishAndClose();
      return false;
    }
    if (count == 0) {
      return await(through().interest());
    }
    if (!receivedPart) {
      receivedPart = true;
      enter(State.RECEIVING, loop.limits().headTime().toNanos());
    }
    input.append(plain.flip());
    return true;
  }

  private Transport through() {
    if (transport == null) {
      throw new IllegalStateException("not open yet");
    }
    return transport;
  }

  private void answer(Head head) {
    keepAlive = head.keepAlive();
    headOnly = head.request().method().equals("HEAD");
    enter(State.ANSWERING, Long.MAX_VALUE);
    await(0);
    loop.answer(this, head.request());
  }

  /** The answer to the request that was handed over. */
  void respond(Response response) {
    if (state == State.ANSWERING) {
      begin(response);
      advance();
    }
  }

  /** Answers what is no request, and reads no further one. */
  private void refuse(Response response) {
    keepAlive = false;
    headOnly = false;
    begin(response);
    advance();
  }

  private void begin(Response response) {
    sending =
        new Sending(ResponseHead.of(response, keepAlive), headOnly ? Bytes.NONE : response.body());
    enter(State.SENDING, loop.limits().responseNs(sending.body().length()));
    loop.hold(sending.body());
  }

  private boolean send() throws IOException {
    Sending answer = sending;
    if (answer == null) {
      throw new IllegalStateException("nothing to send");
    }
    if (!answer.writeTo(through())) {
      return await(SelectionKey.OP_WRITE);
    }
    release();
    if (keepAlive) {
      receivedPart = !input.isEmpty();
      enter(
          State.RECEIVING,
          (receivedPart ? loop.limits().headTime() : loop.limits().idleTime()).toNanos());
    } else {
      through().finish();
      enter(State.DRAINING, DRAIN_NS);
    }
    return true;
  }

  private void release() {
    if (sending != null) {
      loop.release(sending.body());
      sending = null;
    }
  }

  /** Closing with something unread would reset the connection and take the answer away. */
  private boolean drain() throws IOException {
    ByteBuffer ignored = loop.scratch().received().clear();
    int count = channel.read(ignored);
    drained += Math.max(count, 0);
    if (count < 0 || drained > MAX_DRAINED_BYTES) {
      close();
      return false;
    }
    return count > 0 || await(SelectionKey.OP_READ);
  }

  /** Its time is over. */
  void expire() {
    if (state == State.RECEIVING && !input.isEmpty()) {
      refuse(
          Response.text(
              408,
              "The request did not end within "
                  + loop.limits().headTime().toSeconds()
                  + " s; send it at once.\n"));
      if (state != State.SENDING) {
        return;
      }
    }
    close();
  }

  /** With a word of farewell, as far as the client takes it at once. */
  private void finishAndClose() {
    try {
      if (transport != null) {
        transport.finish();
      }
    } catch (IOException | RuntimeException e) {
      log.debug("end connection: {}", e.toString());
    }
    close();
  }

  /** At once, whatever it waits for. */
  void close() {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    release();
    key.cancel();
    loop.forget(this);
    try {
      channel.close();
    } catch (IOException e) {
      log.debug("close connection: {}", e.toString());
    }
  }
}
