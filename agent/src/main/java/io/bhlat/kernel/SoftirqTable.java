// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How often each softirq vector was entered on each possible CPU since boot, as the kernel itself
 * counts: HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU. The kernel increments a
 * count right before the tracepoint softirq_entry. Immutable.
 */
public final class SoftirqTable {
  private static final String FILE = "/proc/softirqs";

  private final CpuTable table;
  private final Map<String, long[]> countsByVector;

  private SoftirqTable(CpuTable table) {
    this.table = table;
    Map<String, long[]> counts = new LinkedHashMap<>();
    table.rows().forEach(row -> counts.put(row.label(), row.counts()));
    countsByVector = counts;
  }

  /**
   * Reads the counts as they are now; rows are read one after another, so they may differ by what
   * arrives meanwhile.
   *
   * @throws HostReadException if the file cannot be read or has another form
   */
  public static SoftirqTable read(HostFiles host) {
    return new SoftirqTable(CpuTable.parse(host.path(FILE), host.requiredText(FILE)));
  }

  /** The names of the vectors; their place in the list is their number. */
  public List<String> vectors() {
    return List.copyOf(countsByVector.keySet());
  }

  public CpuSet cpus() {
    return CpuSet.of(table.cpus());
  }

  /** Entries of a vector on one CPU; empty if the table has no such vector or CPU. */
  public OptionalLong count(String vector, int cpu) {
    long[] counts = countsByVector.get(vector);
    int column = table.column(cpu);
    return counts == null || column < 0 || column >= counts.length
        ? OptionalLong.empty()
        : OptionalLong.of(counts[column]);
  }

  /** Entries of a vector on all CPUs; empty if the table has no such vector. */
  public OptionalLong total(String vector) {
    long[] counts = countsByVector.get(vector);
    return counts == null ? OptionalLong.empty() : OptionalLong.of(Arrays.stream(counts).sum());
  }
}
