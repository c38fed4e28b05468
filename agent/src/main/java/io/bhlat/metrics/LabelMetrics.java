// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The labels that the operator gave this host, such as its rack, in one series for joins: {@code
 * bhlat_host_info}. Nothing where there are none.
 */
public final class LabelMetrics implements MultiCollector {

  private final MetricSnapshots families;

  /**
   * Makes the family at once.
   *
   * @param labels valid names with values, none of the {@link #takenNames}
   */
  public LabelMetrics(Map<String, String> labels) {
    this.families =
        labels.isEmpty()
            ? new MetricSnapshots()
            : new MetricSnapshots(
                new InfoSnapshot(
                    MetricNames.HOST_INFO.metadata(),
                    List.of(
                        InfoDataPointSnapshot.builder()
                            .labels(
                                Labels.of(
                                    List.copyOf(labels.keySet()), List.copyOf(labels.values())))
                            .build())));
  }

  /** The labels that other families have: a join of one that both have would lose one of them. */
  public static Set<String> takenNames() {
    return MetricNames.all().stream()
        .flatMap(name -> name.labels().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public MetricSnapshots collect() {
    return families;
  }
}
