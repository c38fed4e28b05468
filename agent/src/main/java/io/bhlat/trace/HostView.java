// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.ReadErrors;

/** What a source asks of its host while it counts. Called by whoever takes a snapshot. */
public interface HostView {

  /** The CPUs that are online now. */
  CpuSet onlineCpus();

  /** Told of files of the host that cannot be read, where the counts are right without them. */
  ReadErrors readErrors();

  /** The name of a kernel function by its address. */
  String functionName(long address);

  /** The devices that have an interrupt now, separated by commas; empty if none has. */
  String interruptDevices(int irq);
}
