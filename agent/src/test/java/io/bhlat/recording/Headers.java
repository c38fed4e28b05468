// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.kernel.CpuSet;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbePlan.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Headers for tests. */
final class Headers {

  private Headers() {}

  /** One with something in every field. */
  static RecordingHeader example() {
    List<Planned> planned = new ArrayList<>();
    for (Measurement measurement : Measurement.values()) {
      State state = State.values()[measurement.ordinal() % State.values().length];
      planned.add(
          new Planned(
              measurement,
              state,
              List.of(
                  new ProbeStatus(
                      new Probe(ProbeKind.RAW_TRACEPOINT, "softirq_entry", "raw_softirq_entry"),
                      Optional.empty()),
                  new ProbeStatus(
                      new Probe(ProbeKind.KPROBE, "queue_work_on", "kprobe_queue_work_on"),
                      Optional.of("ENOENT; this kernel does not have it"))),
              measurement == Measurement.SOFTIRQ,
              List.of("less exact – by a little")));
    }
    return new RecordingHeader(
        "0.1.0",
        SimulatedKernel.ATTACHED_AT,
        "testhost",
        "6.1.0-28-amd64",
        "#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1",
        false,
        CpuSet.parse("0-3"),
        CpuSet.parse("0-1,3"),
        new ProbePlan(FastPoolMechanism.TIMER, planned),
        Map.of("hz", "250", "cpu_model", "Imaginary 3000"));
  }
}
