// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.model.Counts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.FunctionSelection;
import io.bhlat.model.Snapshot;
import io.bhlat.trace.ProbePlan;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What the kernel counted, as metrics: all of a scrape come from one snapshot.
 *
 * <p>Thread-safe; scrapes are serialised, because {@link FunctionExport} wants its snapshots in
 * order. A failure of the source is thrown; {@link GuardedCollectors} keeps it from failing the
 * scrape.
 */
public final class KernelMetrics implements MultiCollector {

  private final Supplier<Snapshot> snapshots;
  private final ProbePlan plan;
  private final FunctionExport functions;
  private final CpuLabels cpuLabels = new CpuLabels();

  /**
   * Reads nothing yet.
   *
   * @param snapshots gives the counts so far; each not earlier than the one before
   * @param plan what is measured
   * @param maxFunctions functions with series of their own; the rest is counted in "other"
   */
  public KernelMetrics(Supplier<Snapshot> snapshots, ProbePlan plan, int maxFunctions) {
    this(snapshots, plan, maxFunctions, function -> true);
  }

  /**
   * Reads nothing yet.
   *
   * @param snapshots gives the counts so far; each not earlier than the one before
   * @param plan what is measured
   * @param maxFunctions functions with series of their own; the rest is counted in "other"
   * @param selected by name: which functions may have series of their own
   */
  public KernelMetrics(
      Supplier<Snapshot> snapshots, ProbePlan plan, int maxFunctions, Predicate<String> selected) {
    this.snapshots = snapshots;
    this.plan = plan;
    this.functions = new FunctionExport(maxFunctions, selected);
  }

  @Override
  public synchronized MetricSnapshots collect() {
    Snapshot snapshot = snapshots.get();
    return new CountsFamilies(snapshot.counts(), plan, snapshot.attachedAt(), cpuLabels)
        .with(functions.export(snapshot));
  }

  /**
   * The same families for counts that stand alone, such as those of an interval.
   *
   * @param created when the counts were 0
   * @param maxFunctions the busiest functions that are told by name; the rest is in "other"
   */
  static MetricSnapshots of(Counts counts, ProbePlan plan, Instant created, int maxFunctions) {
    Map<FunctionKey, FunctionExport.Series> series = new TreeMap<>();
    FunctionSelection.keep(
            counts.functions(), FunctionSelection.busiest(counts.functions(), maxFunctions))
        .forEach((key, function) -> series.put(key, new FunctionExport.Series(function, created)));
    return new CountsFamilies(counts, plan, created, new CpuLabels()).with(series);
  }
}
