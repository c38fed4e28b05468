// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.kernel.BpfStatistics;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.ReadErrors;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the host is: the kernel, this program, and which probes it attached, none of which changes
 * while bhlat runs; and how well the host can be read. Thread-safe.
 */
public final class HostMetrics implements MultiCollector {

  private final MetricSnapshots constant;
  private final HostFiles files;
  private final ReadErrors errors;

  /**
   * Makes what does not change at once.
   *
   * @param files where /proc is
   * @param errors what is known of files that cannot be read
   */
  public HostMetrics(HostLabels host, ProbePlan plan, HostFiles files, ReadErrors errors) {
    this.constant = constant(host, plan);
    this.files = files;
    this.errors = errors;
  }

  /** What does not change while bhlat runs. */
  static MetricSnapshots constant(HostLabels host, ProbePlan plan) {
    Families building = new Families();
    building.info(
        MetricNames.KERNEL_INFO,
        MetricNames.KERNEL_INFO.labels(
            host.kernelRelease(),
            host.kernelVersion(),
            Boolean.toString(host.preemptRt()),
            plan.mechanism().label()));
    host.bootTimeSeconds()
        .ifPresent(
            seconds -> building.gauge(MetricNames.BOOT_TIME, (double) seconds, Labels.EMPTY));
    building.info(MetricNames.BUILD_INFO, MetricNames.BUILD_INFO.labels(host.bhlatVersion()));
    attached(plan)
        .forEach(
            (labels, attached) ->
                building.gauge(MetricNames.PROBE_ATTACHED, attached ? 1 : 0, labels));
    return building.build();
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
    Families changing = new Families();
    BpfStatistics.enabled(files)
        .ifPresent(
            enabled ->
                changing.gauge(
                    MetricNames.PROGRAM_STATISTICS_ENABLED, enabled ? 1 : 0, Labels.EMPTY));
    for (ReadErrors.Kind kind : ReadErrors.Kind.values()) {
      changing.counter(
          MetricNames.HOST_READ_ERRORS,
          CounterDataPointSnapshot.builder()
              .labels(MetricNames.HOST_READ_ERRORS.labels(kind.label()))
              .value((double) errors.count(kind))
              .build());
    }
    List<MetricSnapshot> families = new ArrayList<>();
    constant.forEach(families::add);
    changing.build().forEach(families::add);
    return new MetricSnapshots(families);
  }
}
