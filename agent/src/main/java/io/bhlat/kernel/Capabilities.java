// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Arrays;
import java.util.List;

/**
 * The effective capabilities of this process.
 *
 * @param effective mask CapEff of /proc/self/status; bit n is the capability of number n
 * @param last the highest capability that the kernel knows: before 5.8 it has no CAP_BPF
 */
public record Capabilities(long effective, int last) {
  private static final String FILE = "/proc/self/status";
  private static final String LAST_FILE = "/proc/sys/kernel/cap_last_cap";
  private static final String FIELD = "CapEff:";

  /**
   * Reads the mask of the process that calls.
   *
   * @throws HostReadException if the file cannot be read or has no CapEff line
   */
  public static Capabilities read(HostFiles host) {
    String mask =
        host.requiredText(FILE)
            .lines()
            .filter(line -> line.startsWith(FIELD))
            .map(line -> line.substring(FIELD.length()).strip())
            .findFirst()
            .orElseThrow(() -> new HostReadException(host.path(FILE), "no line " + FIELD));
    try {
      return new Capabilities(
          Long.parseUnsignedLong(mask, 16), Integer.parseInt(host.requiredText(LAST_FILE)));
    } catch (NumberFormatException e) {
      throw new HostReadException(
          host.path(FILE), FIELD + " or " + LAST_FILE + " is not a number: " + mask);
    }
  }

  public boolean has(Capability capability) {
    return (effective >>> capability.number() & 1) != 0;
  }

  /**
   * True if tracing programs may be loaded and attached. CAP_SYS_ADMIN includes the two that
   * kernels since 5.8 ask for; before 5.8 they do not exist.
   */
  public boolean canLoadTracing() {
    return has(Capability.CAP_SYS_ADMIN)
        || (has(Capability.CAP_BPF) && has(Capability.CAP_PERFMON));
  }

  /**
   * The capabilities that are missed, by number. CAP_SYS_ADMIN stands for CAP_BPF, CAP_PERFMON and
   * CAP_SYSLOG, and is itself missed only where the kernel does not know them. CAP_SYS_RESOURCE is
   * never among them: kernels since 5.11 do without, older ones refuse a map with EPERM.
   */
  public List<Capability> missing() {
    return Arrays.stream(Capability.values()).filter(this::isMissed).toList();
  }

  /** One sentence a missing capability, with the remedy: "CAP_BPF is missing, needed to …". */
  public List<String> remedies() {
    return missing().stream()
        .map(
            capability ->
                capability
                    + " is missing, needed to "
                    + capability.neededTo()
                    + "; run as root or grant it (systemd: AmbientCapabilities="
                    + capability
                    + ")")
        .toList();
  }

  private boolean isMissed(Capability capability) {
    if (has(capability)) {
      return false;
    }
    return switch (capability) {
      case CAP_SYS_RESOURCE -> false;
      case CAP_SYS_ADMIN -> !isKnown(Capability.CAP_BPF);
      case CAP_BPF, CAP_PERFMON, CAP_SYSLOG ->
          isKnown(capability) && !has(Capability.CAP_SYS_ADMIN);
    };
  }

  private boolean isKnown(Capability capability) {
    return capability.number() <= last;
  }
}
