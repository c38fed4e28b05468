// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import java.io.IOException;

/** Bytes that are no recording, or not one that this version can read. */
public final class RecordingException extends IOException {

  private static final long serialVersionUID = 1L;

  /** With what is wrong, a phrase. */
  public RecordingException(String message) {
    super(message);
  }

  RecordingException(String message, Throwable cause) {
    super(message, cause);
  }
}
