// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.AgentConfig;
import io.bhlat.metrics.LabelMetrics;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.TraceOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every command that traces. */
final class TraceFlags {

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  private @Nullable AgentConfig config;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Take from this YAML file what no flag says; see docs/CONFIGURATION.md. `bhlat check"
              + " --config FILE` checks it.")
  private @Nullable Path configFile;

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

  /**
   * What the file of {@code --config} says; read when first asked for, and then taken over into
   * these fields where no flag was given.
   *
   * @throws io.bhlat.config.ConfigException if it cannot be used
   */
  AgentConfig config() {
    if (config == null) {
      config =
          configFile == null
              ? AgentConfig.NONE
              : AgentConfig.read(configFile, LabelMetrics.takenNames());
      takeOver(config);
    }
    return config;
  }

  private void takeOver(AgentConfig from) {
    if (!isGiven("--class")) {
      classes.addAll(from.classes());
    }
    if (!isGiven("--max-functions")) {
      maxFunctions = from.maxFunctions().orElse(maxFunctions);
    }
    if (!isGiven("--max-pending")) {
      maxPending = from.maxPending().orElse(maxPending);
    }
    if (!isGiven("--max-pending-age")) {
      maxPendingAge = from.maxPendingAge().orElse(maxPendingAge);
    }
  }

  /** Whether the command line has that option. */
  boolean isGiven(String option) {
    return command != null
        && command.commandLine().getParseResult() != null
        && command.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** The options as the tracer takes them. */
  TraceOptions options() {
    config();
    requireUpTo(AgentConfig.MOST_PENDING, "--max-pending", maxPending);
    requireUpTo(AgentConfig.MOST_FUNCTIONS, "--max-functions", maxFunctions);
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
