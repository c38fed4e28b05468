// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * One row of /proc/interrupts.
 *
 * @param label the number of a device's interrupt, or the name of another one (NMI, LOC, ERR)
 * @param countByCpu handled since boot, by the CPUs the table has columns for; rows without per-CPU
 *     counts (ERR, MIS) have their only count under the first CPU
 * @param description what follows the counts: interrupt chip, trigger and devices, or what a named
 *     row counts
 * @param devices the names the drivers gave their handlers; more than one if the interrupt is
 *     shared, none if it has no handler now
 */
public record Interrupt(
    String label, Map<Integer, Long> countByCpu, String description, List<String> devices) {

  /** Copies what it is given. */
  public Interrupt {
    countByCpu = Collections.unmodifiableMap(new TreeMap<>(countByCpu));
    devices = List.copyOf(devices);
  }

  /** The interrupt's number; empty for rows that have a name. */
  public OptionalInt number() {
    boolean isNumber = label.matches("\\d{1,9}");
    return isNumber ? OptionalInt.of(Integer.parseInt(label)) : OptionalInt.empty();
  }

  /** The sum over all CPUs. */
  public long total() {
    return countByCpu.values().stream().mapToLong(Long::longValue).sum();
  }
}
