// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.linux.FileDescriptor;
import io.bhlat.trace.Probe;

/** Where the programs and maps of a source come from. Not thread-safe. */
interface Programs {

  /** A program in the kernel and what keeps it attached. */
  record Attached(FileDescriptor program, Link link) {}

  /**
   * The program of a probe, attached.
   *
   * @throws BpfException if it cannot be loaded or attached
   */
  Attached attach(Probe probe) throws BpfException;

  /**
   * A map, its layout proven.
   *
   * @param name its name in the source
   * @param keyBytes the size of a key, as Java has it
   * @param valueBytes the size of a value, as Java has it
   * @throws BpfException if there is no such map or its layout differs
   */
  BccMap map(String name, int keyBytes, int valueBytes) throws BpfException;
}
