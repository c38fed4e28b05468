// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several collectors, of which one that fails does not take the scrape along: its metrics are
 * missing from that scrape, {@code bhlat_collector_success} is 0, and the failure is logged when it
 * begins and when it ends.
 *
 * <p>Thread-safe if the collectors are.
 */
public final class GuardedCollectors implements MultiCollector {

  private static final Logger log = LoggerFactory.getLogger(GuardedCollectors.class);
  private static final double NS_PER_SECOND = 1e9;

  private final Map<String, MultiCollector> collectors;
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  /**
   * Copies its argument.
   *
   * @param collectors by name, which becomes a label, in the order in which they run
   */
  public GuardedCollectors(Map<String, ? extends MultiCollector> collectors) {
    this.collectors = new LinkedHashMap<>(collectors);
  }

  @Override
  public MetricSnapshots collect() {
    List<MetricSnapshot> all = new ArrayList<>();
    Families own = new Families();
    collectors.forEach(
        (name, collector) -> {
          long startNs = System.nanoTime();
          boolean success = collect(name, collector, all);
          double seconds = (System.nanoTime() - startNs) / NS_PER_SECOND;
          own.gauge(
              MetricNames.COLLECTOR_SUCCESS,
              success ? 1 : 0,
              MetricNames.COLLECTOR_SUCCESS.labels(name));
          own.gauge(
              MetricNames.COLLECTOR_DURATION, seconds, MetricNames.COLLECTOR_DURATION.labels(name));
        });
    own.build().forEach(all::add);
    return new MetricSnapshots(all);
  }

  private boolean collect(String name, MultiCollector collector, List<MetricSnapshot> all) {
    try {
      collector.collect().forEach(all::add);
    } catch (RuntimeException e) {
      if (failing.add(name)) {
        log.error(
            "collect {}: failed; its metrics are missing until it succeeds; please report it",
            name,
            e);
      }
      return false;
    }
    if (failing.remove(name)) {
      log.info("collect {}: succeeds again", name);
    }
    return true;
  }

  /**
   * Every name in {@link MetricNames}, so that a clash with another collector is refused when it is
   * registered and not found out in a scrape.
   */
  @Override
  public List<MetricFamilyDescriptor> getMetricFamilyDescriptors() {
    return MetricNames.all().stream().map(MetricName::descriptor).toList();
  }
}
