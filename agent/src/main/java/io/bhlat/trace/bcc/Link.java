// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

/** What keeps a program attached: closing it detaches. */
interface Link extends AutoCloseable {

  /** Idempotent; nothing that goes wrong here can be helped. */
  @Override
  void close();
}
