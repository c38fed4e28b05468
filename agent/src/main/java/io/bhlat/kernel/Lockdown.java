// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Optional;

/** How far the kernel is locked against its own root user. */
public enum Lockdown {
  /** Nothing is refused. */
  NONE,
  /** Changing the running kernel is refused; tracing works. */
  INTEGRITY,
  /** Reading the kernel is refused too: no kprobes, no bpf_probe_read_kernel. */
  CONFIDENTIALITY,
  /** The file is absent: securityfs is not mounted, or the kernel has no lockdown at all. */
  UNKNOWN;

  private static final String FILE = "/sys/kernel/security/lockdown";

  /**
   * Reads the level, which the kernel puts in brackets: "none [integrity] confidentiality".
   *
   * @throws HostReadException if the file exists but cannot be read or names no known level
   */
  public static Lockdown read(HostFiles host) {
    Optional<String> levels = host.text(FILE);
    if (levels.isEmpty()) {
      return UNKNOWN;
    }
    for (String level : levels.get().split("\\s+", -1)) {
      Lockdown inForce =
          switch (level) {
            case "[none]" -> NONE;
            case "[integrity]" -> INTEGRITY;
            case "[confidentiality]" -> CONFIDENTIALITY;
            default -> UNKNOWN;
          };
      if (inForce != UNKNOWN) {
        return inForce;
      }
    }
    throw new HostReadException(
        host.path(FILE), "no known level is in brackets: \"" + levels.get() + "\"");
  }
}
