// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.WorkClass;
import java.util.List;
import java.util.Optional;

/**
 * Which probes serve which measurement on this kernel, and why some do not. Immutable.
 *
 * @param mechanism how the fast pool is mixed here
 * @param measurements one entry a {@link Measurement}, in its order
 */
public record ProbePlan(FastPoolMechanism mechanism, List<Planned> measurements) {

  public ProbePlan {
    measurements = List.copyOf(measurements);
  }

  /** The entry of a measurement. */
  public Planned of(Measurement measurement) {
    return measurements.stream()
        .filter(planned -> planned.measurement() == measurement)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not planned: " + measurement));
  }

  /** Whether queueings of a class are counted one by one, so that its account can be balanced. */
  public boolean countsQueued(WorkClass workClass) {
    return measurements.stream()
        .anyMatch(
            planned ->
                planned.measurement().workClasses().contains(workClass)
                    && planned.state() != State.MISSING
                    && planned.countsQueued());
  }

  /**
   * The measurement that a program is counted for where several share it: the one that it was made
   * for, which is the last of {@link Measurement}'s order, since the mixing of the fast pool uses
   * the programs of what defers it, and tasklets those of softirqs. Empty for one that none uses.
   */
  public Optional<Measurement> ownerOf(Probe probe) {
    return measurements.stream()
        .filter(
            planned ->
                planned.state() != State.MISSING
                    && planned.probes().stream()
                        .anyMatch(status -> status.attached() && status.probe().equals(probe)))
        .map(Planned::measurement)
        .reduce((first, last) -> last);
  }

  /** Whether a measurement is served, in full or in part. */
  public boolean measures(Measurement measurement) {
    State state = of(measurement).state();
    return state == State.ATTACHED || state == State.PARTIAL;
  }

  /** Whether a measurement sees the calls of a function itself, rather than traces of them. */
  public boolean probesFunctions(Measurement measurement) {
    return of(measurement).probes().stream()
        .anyMatch(status -> status.attached() && status.probe().kind() != ProbeKind.RAW_TRACEPOINT);
  }

  /** Whether functions are probed as they are found, while counting. */
  public boolean probesCallbacks() {
    return measurements.stream()
        .flatMap(planned -> planned.probes().stream())
        .anyMatch(status -> status.attached() && status.probe().isOfCallbacks());
  }

  /** Whether anything is measured at all. */
  public boolean measuresAnything() {
    return measurements.stream().anyMatch(planned -> measures(planned.measurement()));
  }

  /** Whether every measurement that was asked for is served in full. */
  public boolean isComplete() {
    return measurements.stream()
        .noneMatch(planned -> planned.state() == State.MISSING || planned.state() == State.PARTIAL);
  }

  /** How far a measurement is served. */
  public enum State {
    /** All its probes are attached. */
    ATTACHED,
    /** It is measured, but one of its probes is missing; the notes say what that costs. */
    PARTIAL,
    /** It is not measured; the notes say why and what would help. */
    MISSING,
    /** Nobody asked for it. */
    NOT_REQUESTED,
    /** This kernel does not do this kind of work, so that there is nothing to measure. */
    NOT_APPLICABLE
  }

  /**
   * One measurement of the plan.
   *
   * @param measurement the measurement
   * @param state how far it is served
   * @param probes its probes, each with the reason if it is not attached
   * @param countsQueued whether every queueing is counted, so that queued = started + pending +
   *     lost
   * @param notes what is less exact, or why it is missing and what would help; phrases
   */
  public record Planned(
      Measurement measurement,
      State state,
      List<ProbeStatus> probes,
      boolean countsQueued,
      List<String> notes) {

    public Planned {
      probes = List.copyOf(probes);
      notes = List.copyOf(notes);
    }
  }

  /**
   * One probe of a measurement.
   *
   * @param probe the probe
   * @param failure why it is not attached, with the remedy; absent when it is attached
   */
  public record ProbeStatus(Probe probe, Optional<String> failure) {

    /** Whether the probe is attached. */
    public boolean attached() {
      return failure.isEmpty();
    }
  }
}
