// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What does not change while bhlat runs: the kernel, this program, and which probes it attached.
 */
public final class HostMetrics implements MultiCollector {

  private final MetricSnapshots families;

  /** Makes all families at once. */
  public HostMetrics(HostLabels host, ProbePlan plan) {
    Families building = new Families();
    building.info(
        MetricNames.KERNEL_INFO,
        MetricNames.KERNEL_INFO.labels(
            host.kernelRelease(),
            host.kernelVersion(),
            Boolean.toString(host.preemptRt()),
            plan.mechanism().label()));
    building.info(MetricNames.BUILD_INFO, MetricNames.BUILD_INFO.labels(host.bhlatVersion()));
    attached(plan)
        .forEach(
            (labels, attached) ->
                building.gauge(MetricNames.PROBE_ATTACHED, attached ? 1 : 0, labels));
    this.families = building.build();
  }

  /**
   * A measurement may attach several programs to one tracepoint; they have one series, which is 1
   * when all are attached.
   */
  private static Map<Labels, Boolean> attached(ProbePlan plan) {
    Map<Labels, Boolean> attached = new LinkedHashMap<>();
    for (Planned planned : plan.measurements()) {
      for (ProbeStatus status : planned.probes()) {
        Labels labels =
            MetricNames.PROBE_ATTACHED.labels(
                planned.measurement().label(),
                status.probe().target(),
                status.probe().kind().label());
        attached.merge(labels, status.attached(), Boolean::logicalAnd);
      }
    }
    return attached;
  }

  @Override
  public MetricSnapshots collect() {
    return families;
  }
}
