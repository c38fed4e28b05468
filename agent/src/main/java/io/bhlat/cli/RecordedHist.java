// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.metrics.HostLabels;
import io.bhlat.model.Interval;
import io.bhlat.recording.IntervalSum;
import io.bhlat.recording.RecordedInterval;
import io.bhlat.recording.RecordingException;
import io.bhlat.recording.RecordingHeader;
import io.bhlat.recording.RecordingReader;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

/** Prints a recording as {@code bhlat hist} prints what it measures. Used by one thread. */
final class RecordedHist {

  private final Terminal terminal;
  private final HistOutput.Settings settings;
  private final Optional<Duration> interval;

  /**
   * Prints nothing yet.
   *
   * @param interval prints each of that length too, to whole frames
   */
  RecordedHist(Terminal terminal, HistOutput.Settings settings, Optional<Duration> interval) {
    this.terminal = terminal;
    this.settings = settings;
    this.interval = interval;
  }

  /**
   * Prints it.
   *
   * @param in the recording, buffered; closed
   * @param from what it is read from, for messages
   * @return what was printed, and of what
   * @throws CommandFailure if it cannot be read, or holds nothing
   */
  Printed print(InputStream in, String from) throws IOException {
    try (RecordingReader reader = new RecordingReader(in)) {
      RecordingHeader header = reader.header();
      HistOutput output =
          new HistOutput(terminal, settings, RecordingHeaders.reportHeader(header), header.plan());
      IntervalSum total = sum(reader, output);
      reader.damage().ifPresent(damage -> terminal.complain("read " + from + ": " + damage));
      if (total.frames() == 0) {
        throw new CommandFailure(
            ExitCode.CANNOT,
            "read "
                + from
                + ": it holds no whole interval; where a daemon has just started, try again in a"
                + " second; ask for a longer --since");
      }
      Interval span = total.interval();
      HostLabels labels = RecordingHeaders.labels(header);
      output.total(span, labels);
      return new Printed(header, span, reader.damage().isPresent());
    } catch (RecordingException e) {
      throw new CommandFailure(ExitCode.CANNOT, "read " + from + ": " + e.getMessage(), e);
    }
  }

  /**
   * What was printed.
   *
   * @param damaged whether the end could not be read
   */
  record Printed(RecordingHeader header, Interval total, boolean damaged) {}

  private IntervalSum sum(RecordingReader reader, HistOutput output) throws IOException {
    IntervalSum total = new IntervalSum();
    IntervalSum part = new IntervalSum();
    for (Optional<RecordedInterval> next = reader.next(); next.isPresent(); next = reader.next()) {
      total.add(next.get());
      if (interval.isPresent()) {
        part.add(next.get());
        if (isFull(part, next.get(), interval.get())) {
          output.interval(part.interval());
          part = new IntervalSum();
        }
      }
    }
    if (part.frames() > 0) {
      output.interval(part.interval());
    }
    return total;
  }

  /** To the frame that is nearest: frames are never quite as long as they should be. */
  private static boolean isFull(IntervalSum part, RecordedInterval last, Duration length) {
    return part.durationNs() + (last.toNs() - last.fromNs()) / 2 >= length.toNanos();
  }
}
