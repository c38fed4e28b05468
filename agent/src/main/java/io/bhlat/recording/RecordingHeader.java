// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.kernel.CpuSet;
import io.bhlat.trace.ProbePlan;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a recording says of the host that was measured. Immutable.
 *
 * @param bhlatVersion the version that recorded
 * @param attachedAt wall clock of the moment when the probes were attached
 * @param hostname the node name
 * @param kernelRelease as {@code uname -r} prints it
 * @param kernelVersion as {@code uname -v} prints it
 * @param preemptRt whether it is a PREEMPT_RT kernel
 * @param possibleCpus the CPUs that may ever be online
 * @param onlineCpus the CPUs that were online when recording began
 * @param plan what was measured, with which probes, and how the fast pool was mixed
 * @param facts whatever else is told of the host, by name: {@code hz}, {@code cpu_model}
 */
public record RecordingHeader(
    String bhlatVersion,
    Instant attachedAt,
    String hostname,
    String kernelRelease,
    String kernelVersion,
    boolean preemptRt,
    CpuSet possibleCpus,
    CpuSet onlineCpus,
    ProbePlan plan,
    Map<String, String> facts) {

  public RecordingHeader {
    facts = Collections.unmodifiableMap(new TreeMap<>(facts));
  }
}
