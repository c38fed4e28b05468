// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.List;

/**
 * The name of a metric family with what belongs to it.
 *
 * @param name as in the text format, with {@code _total} and {@code _info}
 * @param type its type
 * @param help the HELP text; for a latency it names both ends and the unit
 * @param labels the names of its labels, in order
 */
public record MetricName(String name, Type type, String help, List<String> labels) {

  /** The types that bhlat exports. */
  public enum Type {
    COUNTER("_total", MetricType.COUNTER),
    GAUGE("", MetricType.GAUGE),
    HISTOGRAM("", MetricType.HISTOGRAM),
    INFO("_info", MetricType.INFO);

    private final String suffix;
    private final MetricType clientType;

    Type(String suffix, MetricType clientType) {
      this.suffix = suffix;
      this.clientType = clientType;
    }
  }

  public MetricName {
    labels = List.copyOf(labels);
    if (!name.endsWith(type.suffix)) {
      throw new IllegalArgumentException(name + ": a " + type + " ends in " + type.suffix);
    }
  }

  /** What the client library wants to know: there the suffix of the type is not in the name. */
  MetricMetadata metadata() {
    String base = name.substring(0, name.length() - type.suffix.length());
    return base.endsWith("_seconds")
        ? new MetricMetadata(base, help, Unit.SECONDS)
        : new MetricMetadata(base, help);
  }

  /** What the registry compares at registration to find clashes. */
  MetricFamilyDescriptor descriptor() {
    return MetricFamilyDescriptor.of(type.clientType, metadata(), labels);
  }

  /**
   * Labels with these values.
   *
   * @param values one a label, in order
   */
  Labels labels(String... values) {
    return Labels.of(labels, List.of(values));
  }
}
