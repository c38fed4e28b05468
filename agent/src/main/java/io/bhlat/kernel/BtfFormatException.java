// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

/** The bytes given are not a well-formed BTF blob, or BTF cannot answer what was asked. */
public final class BtfFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BtfFormatException(String message) {
    super("BTF: " + message);
  }
}
