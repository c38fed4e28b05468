// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.trace.ProbePlan.ProbeStatus;
import java.util.List;

/**
 * What became of a set of probes.
 *
 * @param set the set
 * @param statuses the probes that were tried: for each part the one attached, or all that failed
 * @param isUsable whether all that it needs is attached
 * @param losses what is lost by the parts that are missing, and why; empty if none is
 */
record WayTaken(ProbeSet set, List<ProbeStatus> statuses, boolean isUsable, List<String> losses) {

  WayTaken {
    statuses = List.copyOf(statuses);
    losses = List.copyOf(losses);
  }

  boolean uses(Probe probe) {
    return isUsable
        && statuses.stream().anyMatch(status -> status.attached() && status.probe().equals(probe));
  }
}
