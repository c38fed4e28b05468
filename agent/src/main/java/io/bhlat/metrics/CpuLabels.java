// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Labels of series that a CPU has, kept from one scrape to the next: the client encodes, checks and
 * sorts the names of all labels it makes, which for thousands of series takes longer than to count
 * them.
 *
 * <p>Holds as many as there are series by CPU whose other labels are words of ours, about 100 bytes
 * each. What has labels that come and go, such as those of interrupts, does not belong here. One
 * thread at a time.
 */
final class CpuLabels {

  private final Map<Group, Map<Integer, Labels>> groups = new HashMap<>();

  /** Labels that differ by CPU only. */
  private record Group(MetricName name, List<String> afterCpu) {}

  /**
   * The labels of each CPU.
   *
   * @param name its first label is the CPU
   * @param afterCpu values of the others, in order
   */
  IntFunction<Labels> of(MetricName name, String... afterCpu) {
    Map<Integer, Labels> ofCpus =
        groups.computeIfAbsent(new Group(name, List.of(afterCpu)), group -> new HashMap<>());
    return cpu -> ofCpus.computeIfAbsent(cpu, c -> make(name, c, afterCpu));
  }

  private static Labels make(MetricName name, int cpu, String... afterCpu) {
    String[] values = new String[afterCpu.length + 1];
    values[0] = Integer.toString(cpu);
    System.arraycopy(afterCpu, 0, values, 1, afterCpu.length);
    return name.labels(values);
  }
}
