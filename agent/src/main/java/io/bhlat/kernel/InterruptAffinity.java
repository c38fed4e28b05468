// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

/** Which CPUs an interrupt goes to. */
public final class InterruptAffinity {

  private InterruptAffinity() {}

  /**
   * The CPUs that handle an interrupt now, of those that it may go to: on x86 and with a GICv3
   * exactly one. The empty set if the interrupt is gone, not started, or the kernel does not tell
   * (before Linux 4.13, and on a few architectures).
   *
   * @throws HostReadException if the file exists but cannot be read or has another form
   */
  public static CpuSet effective(HostFiles host, int irq) {
    String file = "/proc/irq/" + irq + "/effective_affinity_list";
    String list = host.text(file).orElse("");
    try {
      return CpuSet.parse(list);
    } catch (IllegalArgumentException e) {
      throw new HostReadException(host.path(file), String.valueOf(e.getMessage()));
    }
  }
}
