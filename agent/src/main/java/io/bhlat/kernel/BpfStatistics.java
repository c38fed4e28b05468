// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Optional;

/** Whether the kernel counts what BPF programs cost, which costs a little itself. */
public final class BpfStatistics {

  private static final String FILE = "/proc/sys/kernel/bpf_stats_enabled";

  private BpfStatistics() {}

  /**
   * Whether it is switched on for all programs now; empty where the kernel cannot count (before
   * Linux 5.1) or procfs does not show it.
   *
   * @throws HostReadException if the file exists but cannot be read
   */
  public static Optional<Boolean> enabled(HostFiles host) {
    return host.text(FILE).map(text -> !text.equals("0"));
  }
}
