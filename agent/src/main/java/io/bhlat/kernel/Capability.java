// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

/** The capabilities that decide what bhlat may do; the numbers are those of linux/capability.h. */
public enum Capability {
  CAP_SYS_ADMIN(21, "load tracing programs on kernels before 5.8"),
  CAP_SYS_RESOURCE(24, "raise RLIMIT_MEMLOCK for BPF maps on kernels before 5.11"),
  CAP_SYSLOG(34, "see addresses in /proc/kallsyms"),
  CAP_PERFMON(38, "read kernel memory in BPF programs and attach tracepoints"),
  CAP_BPF(39, "create BPF maps and load BPF programs");

  private final int number;
  private final String neededTo;

  Capability(int number, String neededTo) {
    this.number = number;
    this.neededTo = neededTo;
  }

  /** The bit in the masks of /proc/self/status. */
  public int number() {
    return number;
  }

  /** What cannot be done without it, to be read after "needed to". */
  public String neededTo() {
    return neededTo;
  }
}
