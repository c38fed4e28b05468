// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * TLS by an {@link SSLEngine}, whose costly steps run on the workers: a client that stalls in the
 * handshake holds its connection and no thread.
 *
 * <p>Between calls it keeps only what must be kept: part of a record that was not read whole, and
 * what the client did not take. All else is in {@link Scratch}, which all connections share.
 */
final class TlsTransport implements Transport {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** After so many, others have their turn: records may be empty without end. */
  private static final int RECEIVES_AT_ONCE = 8;

  /** More than the empty records that so many receives can bring: no client may keep the thread. */
  private static final int MOST_STEPS = 100_000;

  private static final int GO_ON = -2;

  private final SocketChannel channel;
  private final SSLEngine engine;
  private final Scratch scratch;
  private final Executor workers;
  private final IoLoop loop;
  private final Connection connection;

  private ByteBuffer unread = NOTHING;
  private ByteBuffer unsent = NOTHING;
  private int receives;
  private boolean started;
  private boolean working;
  private int interest = SelectionKey.OP_READ;

  /**
   * Reads and writes nothing yet.
   *
   * @param workers run the steps of the handshake; then the connection goes on in the loop
   */
  TlsTransport(
      SocketChannel channel,
      SSLEngine engine,
      Connection connection,
      IoLoop loop,
      Executor workers) {
    this.channel = channel;
    this.engine = engine;
    this.connection = connection;
    this.loop = loop;
    this.scratch = loop.scratch();
    this.workers = workers;
  }

  @Override
  public int interest() {
    return interest;
  }

  private void stepDone() {
    working = false;
    connection.advance();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    ByteBuffer records = scratch.received();
    records.clear().put(unread).flip();
    unread = NOTHING;
    try {
      return read(records, into);
    } finally {
      unread = copyOf(records);
    }
  }

  private int read(ByteBuffer records, ByteBuffer into) throws IOException {
    receives = 0;
    for (int steps = 0; steps < MOST_STEPS; steps++) {
      if (working) {
        interest = 0;
        return 0;
      }
      if (!flush()) {
        interest = SelectionKey.OP_WRITE;
        return 0;
      }
      HandshakeStatus status = engine.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        startStep();
      } else if (status == HandshakeStatus.NEED_WRAP) {
        wrap(NOTHING);
        if (engine.isOutboundDone()) {
          flush();
          return END;
        }
      } else {
        int count = unwrap(records, into);
        if (count != GO_ON) {
          return count;
        }
      }
    }
    throw new SSLException("no end of the handshake");
  }

  /** What {@link #read} returns, or GO_ON if another step comes first. */
  private int unwrap(ByteBuffer records, ByteBuffer into) throws IOException {
    SSLEngineResult result = engine.unwrap(records, into);
    switch (result.getStatus()) {
      case OK -> {
        return into.position() > 0 ? into.position() : GO_ON;
      }
      case CLOSED -> {
        return END;
      }
      case BUFFER_UNDERFLOW -> {
        receives++;
        int count = receives > RECEIVES_AT_ONCE ? 0 : receive(records);
        interest = SelectionKey.OP_READ;
        return count > 0 ? GO_ON : count;
      }
      default -> throw new SSLException("a record larger than TLS allows");
    }
  }

  private int receive(ByteBuffer records) throws IOException {
    records.compact();
    try {
      int count = channel.read(records);
      if (count > 0 && !started) {
        started = true;
        requireTls(records.get(0));
      }
      return count;
    } finally {
      records.flip();
    }
  }

  /** TLS begins with a record of type 22; a letter is the method of a request. */
  private static void requireTls(byte first) throws NotTlsException {
    if (first >= 'A' && first <= 'Z') {
      throw new NotTlsException();
    }
  }

  private void startStep() {
    Runnable step = engine.getDelegatedTask();
    if (step == null) {
      return;
    }
    working = true;
    workers.execute(
        () -> {
          try {
            step.run();
          } finally {
            loop.resume(connection, this::stepDone);
          }
        });
  }

  @Override
  public boolean write(ByteBuffer from) throws IOException {
    while (true) {
      if (!flush()) {
        return false;
      }
      if (!from.hasRemaining()) {
        return true;
      }
      wrap(from);
      if (engine.isOutboundDone()) {
        throw new SSLException("closed by the client");
      }
    }
  }

  private void wrap(ByteBuffer from) throws IOException {
    ByteBuffer record = scratch.sending();
    record.clear();
    SSLEngineResult result = engine.wrap(from, record);
    if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
      throw new SSLException("a record larger than TLS allows");
    }
    record.flip();
    if (record.hasRemaining()) {
      channel.write(record);
    }
    unsent = copyOf(record);
  }

  private boolean flush() throws IOException {
    if (unsent.hasRemaining()) {
      channel.write(unsent);
    }
    if (unsent.hasRemaining()) {
      return false;
    }
    unsent = NOTHING;
    return true;
  }

  private static ByteBuffer copyOf(ByteBuffer rest) {
    return rest.hasRemaining() ? ByteBuffer.allocate(rest.remaining()).put(rest).flip() : NOTHING;
  }

  @Override
  public void finish() throws IOException {
    engine.closeOutbound();
    while (flush()
        && !engine.isOutboundDone()
        && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      wrap(NOTHING);
    }
    flush();
    channel.shutdownOutput();
  }
}
