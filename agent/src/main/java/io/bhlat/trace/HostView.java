// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.ReadErrors;
import java.util.Map;
import java.util.Set;

/** What a source asks of its host while it counts. Called by whoever takes a snapshot. */
public interface HostView {

  /** The CPUs that are online now. */
  CpuSet onlineCpus();

  /** Told of files of the host that cannot be read, where the counts are right without them. */
  ReadErrors readErrors();

  /** The names of kernel functions by their addresses: one for each address asked for. */
  Map<Long, String> functionNames(Set<Long> addresses);

  /** The devices that have an interrupt now, separated by commas; empty if none has. */
  String interruptDevices(int irq);
}
