// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan.State;
import java.util.List;
import java.util.Map;

/**
 * What {@link TruthRunner} prints, as JSON on one line.
 *
 * @param states how far each measurement is served
 * @param probes the probes that are attached, by measurement
 * @param notes what is less exact, by measurement
 * @param outcomes of the scenarios, in order
 * @param lostInTheEnd work items lost since attaching, by reason, when old stamps had been removed
 * @param taskletsLostInTheEnd the same of tasklets
 * @param unexplainedInTheEnd as {@link TruthOutcome#unexplained}
 */
record TruthReport(
    Map<Measurement, State> states,
    Map<Measurement, List<String>> probes,
    Map<Measurement, List<String>> notes,
    List<TruthOutcome> outcomes,
    Map<String, Long> lostInTheEnd,
    Map<String, Long> taskletsLostInTheEnd,
    long unexplainedInTheEnd) {

  TruthOutcome of(TruthScenario scenario) {
    return outcomes.stream()
        .filter(outcome -> outcome.scenario() == scenario)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not run: " + scenario));
  }

  State state(Measurement measurement) {
    return states.getOrDefault(measurement, State.NOT_REQUESTED);
  }

  /** Attached probes, those that see the queueing last. */
  List<String> probesOf(Measurement measurement) {
    return probes.getOrDefault(measurement, List.of());
  }
}
