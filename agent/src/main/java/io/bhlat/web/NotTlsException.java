// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;

/** A client speaks HTTP where TLS is expected. */
final class NotTlsException extends IOException {

  private static final long serialVersionUID = 1L;

  NotTlsException() {
    super("HTTP without TLS");
  }

  /** Sent in the clear, as it was asked. */
  static Response response() {
    return Response.text(400, "This port speaks TLS; use https.\n");
  }
}
