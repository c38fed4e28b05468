// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.model.WorkClass;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.TraceOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options of every command that traces. */
final class TraceFlags {

  /** About 100 MB of the kernel's memory. */
  private static final int MOST_PENDING = 1_000_000;

  /** About 130 MB of the kernel's memory on 8 CPUs and more. */
  private static final int MOST_FUNCTIONS = 1_024;

  @Option(
      names = "--class",
      split = ",",
      paramLabel = "CLASS",
      converter = WorkClassConverter.class,
      completionCandidates = WorkClassConverter.Labels.class,
      description =
          "Measure only these work classes: ${COMPLETION-CANDIDATES}. Repeat or separate by commas.")
  Set<WorkClass> classes = new LinkedHashSet<>();

  @Option(
      names = "--max-pending",
      paramLabel = "N",
      description =
          "Work items that may be pending at once; more are counted as lost (pending_full). Default:"
              + " ${DEFAULT-VALUE}.")
  int maxPending = TraceOptions.DEFAULT_MAX_PENDING;

  @Option(
      names = "--max-pending-age",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "60s",
      description =
          "A work item that has not started after that long is taken for cancelled and counted as lost"
              + " (aged_out). Default: ${DEFAULT-VALUE}.")
  Duration maxPendingAge = TraceOptions.DEFAULT_MAX_PENDING_AGE;

  @Option(
      names = "--max-functions",
      paramLabel = "N",
      description =
          "Functions told by name, the busiest; the rest is in \"other\". Four times as many are"
              + " tracked. Default: ${DEFAULT-VALUE}.")
  int maxFunctions = TraceOptions.DEFAULT_TRACKED_FUNCTIONS / 4;

  @Option(
      names = {"-v", "--verbose"},
      description = "Print what clang and the kernel's verifier wrote when something fails.")
  boolean verbose;

  /** The options as the tracer takes them. */
  TraceOptions options() {
    requireUpTo(MOST_PENDING, "--max-pending", maxPending);
    requireUpTo(MOST_FUNCTIONS, "--max-functions", maxFunctions);
    EnumSet<Measurement> measurements = EnumSet.noneOf(Measurement.class);
    for (WorkClass workClass : classes) {
      measurements.addAll(Measurement.concerning(workClass));
    }
    return TraceOptions.of(classes.isEmpty() ? EnumSet.allOf(Measurement.class) : measurements)
        .withMaxPending(maxPending)
        .withMaxPendingAge(maxPendingAge)
        .withTrackedFunctions(4 * maxFunctions);
  }

  private static void requireUpTo(int most, String option, int value) {
    if (value < 1 || value > most) {
      throw new CommandFailure(
          ExitCode.USAGE, "%s takes a number from 1 to %,d, not %d".formatted(option, most, value));
    }
  }
}
