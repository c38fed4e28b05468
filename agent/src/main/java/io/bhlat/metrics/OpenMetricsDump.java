// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.model.Counts;
import io.bhlat.trace.ProbePlan;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes counts once as OpenMetrics 1.0 text: the families of a scrape, without a server. */
public final class OpenMetricsDump {

  private OpenMetricsDump() {}

  /**
   * Writes the counts and what the host is, ending with {@code # EOF}. The stream stays open.
   *
   * @param counts those since attaching or those of an interval
   * @param created when the counts were 0, written as {@code _created}
   * @param maxFunctions the busiest functions that are told by name; the rest is in "other"
   */
  public static void write(
      Counts counts,
      ProbePlan plan,
      Instant created,
      HostLabels host,
      int maxFunctions,
      OutputStream out)
      throws IOException {
    List<MetricSnapshot> families = new ArrayList<>();
    HostMetrics.constant(host, plan).forEach(families::add);
    KernelMetrics.of(counts, plan, created, maxFunctions).forEach(families::add);
    OpenMetricsTextFormatWriter writer =
        OpenMetricsTextFormatWriter.builder()
            .setCreatedTimestampsEnabled(true)
            .setExemplarsOnAllMetricTypesEnabled(false)
            .build();
    writer.write(out, new MetricSnapshots(families));
  }
}
