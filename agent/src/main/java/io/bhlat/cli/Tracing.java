// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.FunctionPatterns;
import io.bhlat.model.Counts;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.FunctionSelection;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.State;
import io.bhlat.trace.bcc.BpfException;
import io.bhlat.trace.bcc.BpfException.Kind;
import io.bhlat.trace.bcc.HandOver;
import io.bhlat.trace.bcc.LiveSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Opens the kernel for commands that measure, and says in one place why it cannot be. */
final class Tracing {

  private Tracing() {}

  /**
   * Attaches what was asked for. What is missing is said on stderr and does not stop the rest.
   *
   * @throws CommandFailure if nothing can be measured
   */
  static LiveSource open(Host host, TraceFlags flags, Terminal terminal) {
    LiveSource source;
    try {
      source = host.open(flags.options(), host.target());
    } catch (BpfException e) {
      throw failure(e, flags.verbose);
    }
    if (flags.verbose) {
      source.failures().forEach(e -> terminal.complain(text(e, true)));
    }
    if (!source.plan().measuresAnything()) {
      source.close();
      throw nothingMeasured(source);
    }
    return source;
  }

  /**
   * Goes on with what the program before this one attached.
   *
   * @throws CommandFailure if that is not what it should be
   */
  static LiveSource takeOver(Host host, TraceFlags flags, HandOver handOver) {
    try {
      return LiveSource.takeOver(flags.options(), host, handOver);
    } catch (BpfException e) {
      throw failure(e, flags.verbose);
    }
  }

  /** The failure of a command that cannot trace. */
  static CommandFailure failure(BpfException e, boolean verbose) {
    return new CommandFailure(ExitCode.of(e), text(e, verbose), e);
  }

  private static String text(BpfException e, boolean verbose) {
    return verbose && !e.details().isBlank()
        ? e.getMessage() + "\n" + e.details().strip()
        : String.valueOf(e.getMessage());
  }

  private static CommandFailure nothingMeasured(LiveSource source) {
    List<BpfException> notPermitted =
        source.failures().stream().filter(e -> e.kind() == Kind.NOT_PERMITTED).toList();
    if (!notPermitted.isEmpty()) {
      return new CommandFailure(
          ExitCode.NOT_PERMITTED,
          "nothing can be measured here: "
              + notPermitted.get(0).getMessage()
              + (notPermitted.size() == 1
                  ? ""
                  : "\n  and " + (notPermitted.size() - 1) + " more: see `bhlat check`"));
    }
    return new CommandFailure(
        ExitCode.CANNOT,
        source.plan().measurements().stream()
            .filter(planned -> planned.state() != State.NOT_REQUESTED)
            .map(Tracing::reason)
            .collect(Collectors.joining("\n  ", "nothing can be measured here:\n  ", "")));
  }

  private static String reason(Planned planned) {
    return planned.measurement().label() + ": " + String.join("; ", planned.notes());
  }

  /** The same counts with the busiest of these functions by name and the rest as "other". */
  static Counts busiest(Counts counts, int maxFunctions, FunctionPatterns names) {
    return counts.withFunctions(
        functions -> {
          Map<FunctionKey, FunctionCounts> selected = new TreeMap<>(functions);
          selected.keySet().removeIf(key -> !names.select(key.function()));
          return FunctionSelection.keep(
              functions, FunctionSelection.busiest(selected, maxFunctions));
        });
  }
}
