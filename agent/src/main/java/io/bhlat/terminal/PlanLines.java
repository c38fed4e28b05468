// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbePlan.State;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is not measured, or not in full, and why. */
final class PlanLines {

  private static final String INDENT = "  ";

  private PlanLines() {}

  static void addTo(Page page, ProbePlan plan, HistOptions options) {
    List<Planned> incomplete =
        plan.measurements().stream()
            .filter(p -> p.state() == State.MISSING || p.state() == State.PARTIAL)
            .filter(p -> options.shows(p.measurement()))
            .toList();
    if (incomplete.isEmpty()) {
      return;
    }
    page.gap();
    page.line("not measured in full");
    for (Planned planned : incomplete) {
      String state = planned.state() == State.MISSING ? "missing" : "in part";
      page.wrapped(
          "%s%-9s  %s: %s".formatted(INDENT, planned.measurement().label(), state, reason(planned)),
          INDENT.length() * 2);
    }
  }

  /** Why a measurement cannot have counted anything; absent where it could have. */
  static Optional<String> whyNotMeasured(ProbePlan plan, Measurement measurement) {
    return plan.measurements().stream()
        .filter(planned -> planned.measurement() == measurement)
        .findFirst()
        .flatMap(
            planned ->
                switch (planned.state()) {
                  case ATTACHED, PARTIAL -> Optional.empty();
                  case MISSING -> Optional.of("not measured, see below");
                  case NOT_REQUESTED -> Optional.of("not measured: nobody asked for it");
                  case NOT_APPLICABLE ->
                      Optional.of(
                          planned.notes().isEmpty()
                              ? "this kernel does no such work"
                              : String.join("; ", planned.notes()));
                });
  }

  private static String reason(Planned planned) {
    Stream<String> failures =
        planned.probes().stream().filter(status -> !status.attached()).map(PlanLines::failure);
    Stream<String> reasons = planned.notes().isEmpty() ? failures : planned.notes().stream();
    return String.join("; ", reasons.toList());
  }

  private static String failure(ProbeStatus status) {
    return "%s: %s".formatted(status.probe(), status.failure().orElse("attached"));
  }
}
