// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbeSet.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Attaches sets of probes; each probe is tried once, whoever shares it. Used by one thread. */
final class Attempts {

  private final ProbePlanner.Attacher attacher;
  private final Set<ProbeKind> kinds;
  private final Map<Probe, Optional<String>> failures = new LinkedHashMap<>();

  Attempts(ProbePlanner.Attacher attacher, Set<ProbeKind> kinds) {
    this.attacher = attacher;
    this.kinds = kinds;
  }

  /** The first set that can be attached; if none can, what became of all of them. */
  WayTaken take(List<ProbeSet> candidates) {
    List<WayTaken> failed = new ArrayList<>();
    for (ProbeSet candidate : candidates) {
      WayTaken way = attach(candidate);
      if (way.isUsable()) {
        return way;
      }
      failed.add(way);
    }
    return WayTaken.ofFailed(failed);
  }

  /**
   * Without a part that is required the rest is not tried: queueings, which come last, would be
   * counted whose starts are not seen.
   */
  private WayTaken attach(ProbeSet set) {
    List<ProbeStatus> statuses = new ArrayList<>();
    List<String> losses = new ArrayList<>();
    for (Part part : set.parts()) {
      List<ProbeStatus> tried = attach(part);
      statuses.addAll(tried);
      ProbeStatus last = tried.get(tried.size() - 1);
      if (!last.attached() && part.isRequired()) {
        return new WayTaken(set, statuses, false, List.of(loss(part, tried)));
      }
      if (!last.attached()) {
        losses.add(loss(part, tried));
      }
    }
    set.bonuses().forEach(ways -> statuses.addAll(bonus(ways)));
    return new WayTaken(set, statuses.stream().distinct().toList(), true, losses);
  }

  private List<ProbeStatus> bonus(List<ProbeSet> candidates) {
    WayTaken way = take(candidates);
    return way.isUsable() ? way.statuses() : List.of();
  }

  /** The probe that is attached, or all that failed. */
  private List<ProbeStatus> attach(Part part) {
    List<ProbeStatus> failed = new ArrayList<>();
    for (Probe probe : part.alternatives()) {
      Optional<String> failure = failures.computeIfAbsent(probe, this::attach);
      if (failure.isEmpty()) {
        return List.of(new ProbeStatus(probe, failure));
      }
      failed.add(new ProbeStatus(probe, failure));
    }
    return failed;
  }

  private Optional<String> attach(Probe probe) {
    return kinds.contains(probe.kind())
        ? attacher.attach(probe)
        : Optional.of("attach " + probe + ": not asked for; allow " + probe.kind().label());
  }

  private static String loss(Part part, List<ProbeStatus> failed) {
    String reasons =
        failed.stream()
            .flatMap(status -> status.failure().stream())
            .distinct()
            .reduce((first, next) -> first + "; " + next)
            .orElse("");
    return part.costWhenMissing().map(cost -> cost + ": ").orElse("") + reasons;
  }

  /** Detaches what was tried and is of no use. */
  void detachAllBut(Collection<WayTaken> taken) {
    failures.forEach(
        (probe, failure) -> {
          if (failure.isEmpty() && taken.stream().noneMatch(way -> way.uses(probe))) {
            attacher.detach(probe);
          }
        });
  }
}
