// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.KernelConfig;
import io.bhlat.metrics.HostLabels;
import io.bhlat.recording.RecordingHeader;
import io.bhlat.terminal.ReportHeader;
import io.bhlat.trace.ProbePlan;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What recordings say of hosts. */
final class RecordingHeaders {

  private RecordingHeaders() {}

  /** Of this host. */
  static RecordingHeader of(Host host, ProbePlan plan, Instant attachedAt) {
    ReportHeader report = host.reportHeader();
    Map<String, String> facts = new TreeMap<>();
    KernelConfig.read(host.files(), host.release())
        .ifPresent(config -> config.hz().ifPresent(hz -> facts.put("hz", Integer.toString(hz))));
    return new RecordingHeader(
        Version.text(),
        attachedAt,
        report.hostname(),
        report.kernelRelease(),
        report.kernelVersion(),
        host.release().isPreemptRt(),
        CpuSet.possible(host.files()),
        CpuSet.online(host.files()),
        plan,
        facts);
  }

  /** What a report of a recording begins with. */
  static ReportHeader reportHeader(RecordingHeader header) {
    return new ReportHeader(
        header.hostname(),
        header.kernelRelease(),
        header.kernelVersion(),
        header.onlineCpus().toString());
  }

  /** The labels that its metrics have. */
  static HostLabels labels(RecordingHeader header) {
    return new HostLabels(
        header.kernelRelease(),
        header.kernelVersion(),
        header.preemptRt(),
        OptionalLong.empty(),
        header.bhlatVersion());
  }
}
