// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

/** A request that is refused before it is understood. */
final class BadRequestException extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;

  BadRequestException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** What the client is told; its connection is closed afterwards. */
  Response response() {
    return Response.text(status, getMessage() + "\n");
  }
}
