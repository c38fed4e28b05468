// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What to trace, and the bounds of the kernel's memory for it. Unused code is not even compiled.
 *
 * @param measurements what to measure
 * @param countFunctions whether to count by function too
 * @param maxPending work items that can be pending at once; one more is a lost sample
 * @param trackedFunctions functions that get histograms of their own; the rest share "other"
 * @param maxPendingAge a stamp that is older is taken for one of a cancelled item and removed
 * @param probeKinds the ways to attach that may be tried; all, but to find out what a way costs
 */
public record TraceOptions(
    Set<Measurement> measurements,
    boolean countFunctions,
    int maxPending,
    int trackedFunctions,
    Duration maxPendingAge,
    Set<ProbeKind> probeKinds) {

  /** Room for a storm of queueing on a large host: 16,384 stamps are about 1.5 MB. */
  public static final int DEFAULT_MAX_PENDING = 16_384;

  /** Four times what is shown by default, so that the busiest can be chosen. */
  public static final int DEFAULT_TRACKED_FUNCTIONS = 256;

  /** Long enough for any queue that still moves. */
  public static final Duration DEFAULT_MAX_PENDING_AGE = Duration.ofSeconds(60);

  public TraceOptions {
    measurements = Set.copyOf(measurements);
    probeKinds = Set.copyOf(probeKinds);
    if (measurements.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure");
    }
    if (maxPending < 1 || trackedFunctions < 1) {
      throw new IllegalArgumentException("a bound below 1");
    }
  }

  /** Everything, with the default bounds. */
  public static TraceOptions everything() {
    return of(EnumSet.allOf(Measurement.class));
  }

  /** These measurements, with the default bounds; by function where there are some. */
  public static TraceOptions of(Set<Measurement> measurements) {
    return new TraceOptions(
        measurements,
        measurements.contains(Measurement.WORKQUEUE) || measurements.contains(Measurement.TASKLET),
        DEFAULT_MAX_PENDING,
        DEFAULT_TRACKED_FUNCTIONS,
        DEFAULT_MAX_PENDING_AGE,
        EnumSet.allOf(ProbeKind.class));
  }

  /** The same without counts by function. */
  public TraceOptions withoutFunctions() {
    return new TraceOptions(
        measurements, false, maxPending, trackedFunctions, maxPendingAge, probeKinds);
  }

  /** The same with another bound of pending work items. */
  public TraceOptions withMaxPending(int entries) {
    return new TraceOptions(
        measurements, countFunctions, entries, trackedFunctions, maxPendingAge, probeKinds);
  }

  /** The same with another age at which stamps are removed. */
  public TraceOptions withMaxPendingAge(Duration age) {
    return new TraceOptions(
        measurements, countFunctions, maxPending, trackedFunctions, age, probeKinds);
  }

  /** The same with another bound of functions with histograms of their own. */
  public TraceOptions withTrackedFunctions(int functions) {
    return new TraceOptions(
        measurements, countFunctions, maxPending, functions, maxPendingAge, probeKinds);
  }

  /** The same with other ways to attach. */
  public TraceOptions withProbeKinds(Set<ProbeKind> kinds) {
    return new TraceOptions(
        measurements, countFunctions, maxPending, trackedFunctions, maxPendingAge, kinds);
  }
}
