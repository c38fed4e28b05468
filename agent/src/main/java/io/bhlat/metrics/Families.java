// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects data points by metric family. One thread. */
final class Families {

  private final Map<MetricName, List<HistogramDataPointSnapshot>> histograms =
      new LinkedHashMap<>();
  private final Map<MetricName, List<CounterDataPointSnapshot>> counters = new LinkedHashMap<>();
  private final Map<MetricName, List<GaugeDataPointSnapshot>> gauges = new LinkedHashMap<>();
  private final Map<MetricName, List<InfoDataPointSnapshot>> infos = new LinkedHashMap<>();

  void histogram(MetricName name, HistogramDataPointSnapshot point) {
    histograms.computeIfAbsent(name, k -> new ArrayList<>()).add(point);
  }

  void counter(MetricName name, CounterDataPointSnapshot point) {
    counters.computeIfAbsent(name, k -> new ArrayList<>()).add(point);
  }

  void gauge(MetricName name, double value, Labels labels) {
    gauges
        .computeIfAbsent(name, k -> new ArrayList<>())
        .add(GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
  }

  /** Adds a data point that is always 1. */
  void info(MetricName name, Labels labels) {
    infos
        .computeIfAbsent(name, k -> new ArrayList<>())
        .add(InfoDataPointSnapshot.builder().labels(labels).build());
  }

  MetricSnapshots build() {
    List<MetricSnapshot> families = new ArrayList<>();
    infos.forEach((name, points) -> families.add(new InfoSnapshot(name.metadata(), points)));
    histograms.forEach(
        (name, points) -> families.add(new HistogramSnapshot(name.metadata(), points)));
    counters.forEach((name, points) -> families.add(new CounterSnapshot(name.metadata(), points)));
    gauges.forEach((name, points) -> families.add(new GaugeSnapshot(name.metadata(), points)));
    return new MetricSnapshots(families);
  }
}
