// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bytes from and to one client, in the clear or by TLS. Never blocks; only the server's I/O thread.
 */
interface Transport {

  /** The client's end has come. */
  int END = -1;

  /**
   * Reads what is there, after whatever handshake that takes.
   *
   * @param into scratch memory, cleared by the caller
   * @return how many bytes are in it; 0 if none are there yet, see {@link #interest}; {@link #END}
   */
  int read(ByteBuffer into) throws IOException;

  /**
   * Writes what the client takes.
   *
   * @return whether all is on its way; if not, call again when the channel is writable
   */
  boolean write(ByteBuffer from) throws IOException;

  /** What the channel must become for {@link #read} to go on; 0 while a worker is busy for it. */
  int interest();

  /** Says that nothing more will be written, as far as that can be said without waiting. */
  void finish() throws IOException;
}
