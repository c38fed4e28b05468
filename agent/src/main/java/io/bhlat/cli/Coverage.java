// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.model.Interval;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Whether a daemon held as much as it was asked for. */
final class Coverage {

  /** Recordings are cut at frames, which the daemon may make as long as it likes. */
  private static final double CLOSE_ENOUGH = 0.98;

  private static final long SLACK_NS = Duration.ofSeconds(2).toNanos();

  private Coverage() {}

  /** Says on stderr if it is less, and gives the exit code that says so too. */
  static int exitCode(Terminal terminal, Optional<Duration> asked, Interval held) {
    if (asked.isEmpty()
        || held.durationNs() + SLACK_NS >= asked.get().toNanos()
        || held.durationNs() >= CLOSE_ENOUGH * asked.get().toNanos()) {
      return ExitCode.OK;
    }
    terminal.complain(
        "the daemon holds no more than %s, from %s to %s; asked for %s"
            .formatted(
                terminal.units().duration(held.durationNs()),
                held.from().truncatedTo(ChronoUnit.SECONDS),
                held.to().truncatedTo(ChronoUnit.SECONDS),
                terminal.units().duration(asked.get().toNanos())));
    return ExitCode.INCOMPLETE;
  }
}
