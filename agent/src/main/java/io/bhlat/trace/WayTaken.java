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
 * @param losses if it is usable, what is lost by the parts that are missing, and why, empty if none
 *     is; else why it is not
 */
record WayTaken(ProbeSet set, List<ProbeStatus> statuses, boolean isUsable, List<String> losses) {

  WayTaken {
    statuses = List.copyOf(statuses);
    losses = List.copyOf(losses);
  }

  /** Several ways of which none is usable, as one: the last, with what every one of them lacks. */
  static WayTaken ofFailed(List<WayTaken> ways) {
    List<String> reasons = ways.stream().flatMap(way -> way.losses.stream()).distinct().toList();
    return new WayTaken(
        ways.get(ways.size() - 1).set,
        ways.stream().flatMap(way -> way.statuses.stream()).distinct().toList(),
        false,
        reasons.size() == 1 ? reasons : ways.stream().map(WayTaken::reason).toList());
  }

  private String reason() {
    return set.name() + ": " + String.join("; ", losses);
  }

  boolean uses(Probe probe) {
    return isUsable
        && statuses.stream().anyMatch(status -> status.attached() && status.probe().equals(probe));
  }
}
