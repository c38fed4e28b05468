// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which interrupts this host has, whose they are, and how often each CPU handled them.
 *
 * <pre>
 *          CPU0       CPU1
 *  26:        0         14  IO-APIC   4-edge      ttyS0
 *  28:        0          0  PCI-MSIX-0000:00:01.0   0-edge      virtio0-config
 *  27:        5          0     GICv3  30 Level     arch_timer
 * LOC:     1520       1630  Local timer interrupts
 * </pre>
 *
 * @param cpus the CPUs with a column: those that are online
 * @param interrupts the rows in the order of the file
 */
public record InterruptTable(CpuSet cpus, List<Interrupt> interrupts) {
  private static final String FILE = "/proc/interrupts";

  /** The kernel writes the devices two spaces behind the rest, which it pads. */
  private static final Pattern GAP = Pattern.compile("\\s{2,}");

  /** The last column of a row without devices: hardware number and trigger. */
  private static final Pattern TRIGGER = Pattern.compile("\\d+(-\\S*)?( +(Level|Edge))?");

  /** Copies the rows. */
  public InterruptTable {
    interrupts = List.copyOf(interrupts);
  }

  /**
   * Reads the table as it is now.
   *
   * @throws HostReadException if the file cannot be read or has another form
   */
  public static InterruptTable read(HostFiles host) {
    CpuTable table = CpuTable.parse(host.path(FILE), host.requiredText(FILE));
    return new InterruptTable(
        CpuSet.of(table.cpus()),
        table.rows().stream().map(row -> interrupt(table.cpus(), row)).toList());
  }

  /** The interrupt of this number; empty if no device has it now. */
  public Optional<Interrupt> numbered(int number) {
    String label = Integer.toString(number);
    return interrupts.stream().filter(interrupt -> interrupt.label().equals(label)).findFirst();
  }

  private static Interrupt interrupt(int[] cpus, CpuTable.Row row) {
    Map<Integer, Long> counts = new HashMap<>();
    for (int column = 0; column < row.counts().length; column++) {
      counts.put(cpus[column], row.counts()[column]);
    }
    boolean isDevices = !row.label().isEmpty() && Character.isDigit(row.label().charAt(0));
    return new Interrupt(
        row.label(), counts, row.text(), isDevices ? devices(row.text()) : List.of());
  }

  private static List<String> devices(String description) {
    String[] columns = GAP.split(description, -1);
    String last = columns[columns.length - 1];
    if (columns.length < 2 || TRIGGER.matcher(last).matches()) {
      return List.of();
    }
    return Arrays.stream(last.split(",\\s*", -1)).filter(name -> !name.isBlank()).toList();
  }
}
