// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** HTTP without TLS. */
record PlainTransport(SocketChannel channel) implements Transport {

  @Override
  public int read(ByteBuffer into) throws IOException {
    return channel.read(into);
  }

  @Override
  public boolean write(ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      if (channel.write(from) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int interest() {
    return SelectionKey.OP_READ;
  }

  @Override
  public void finish() throws IOException {
    channel.shutdownOutput();
  }
}
