// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends exactly what a test wants, and no more. */
final class RawClient implements AutoCloseable {

  private static final int PATIENCE_MS = 30_000;

  private final Socket socket = new Socket();

  RawClient(int port) throws IOException {
    this(port, 0);
  }

  /** A client that takes little at a time, if {@code receiveBuffer} is above 0. */
  RawClient(int port, int receiveBuffer) throws IOException {
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setSoTimeout(PATIENCE_MS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MS);
  }

  RawClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** Asks for a page, after which the server closes. */
  RawClient get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  }

  /** Everything until the server ends the connection. */
  String readAll() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Until that text has come. */
  String readUntil(String text) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    while (!read.toString(StandardCharsets.ISO_8859_1).contains(text)) {
      int next = in.read();
      if (next < 0) {
        throw new AssertionError("ended after: " + read);
      }
      read.write(next);
    }
    return read.toString(StandardCharsets.ISO_8859_1);
  }

  /** Whether the server has ended the connection, orderly or not. */
  boolean isEnded() {
    try {
      socket.setSoTimeout(1);
      return socket.getInputStream().read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Goes away without a farewell: what was not read resets the connection. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
