// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.Counts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One line on the terminal's standard error that is rewritten while something is measured, and
 * leaves nothing behind. Silent where standard error is not a terminal. Used by one thread.
 *
 * <p>It is erased with blanks rather than with an escape sequence, which a dumb terminal prints.
 */
public final class Progress {

  private final PrintStream err;
  private final boolean terminal;
  private final Units units;
  private final int columns;
  private int shown;

  /**
   * A line that is not yet shown.
   *
   * @param err where to; not closed
   * @param terminal whether that is a terminal
   * @param units in which it counts
   * @param columns the terminal's width
   */
  public Progress(PrintStream err, boolean terminal, Units units, int columns) {
    this.err = err;
    this.terminal = terminal;
    this.units = units;
    this.columns = columns;
  }

  /**
   * Shows or rewrites the line.
   *
   * @param elapsed since measuring began
   * @param total how long it will be measured, absent when that is until Ctrl-C
   * @param counts what was counted so far
   */
  public void show(Duration elapsed, Optional<Duration> total, Counts counts) {
    if (!terminal) {
      return;
    }
    String text = text(elapsed, total, counts);
    // The last column stays free: some terminals wrap as soon as it is written.
    String line = text.substring(0, Math.min(text.length(), Math.max(0, columns - 1)));
    err.print("\r" + line + " ".repeat(Math.max(0, shown - line.length())));
    err.flush();
    shown = line.length();
  }

  /** Erases the line, before anything else is printed and at the end. */
  public void erase() {
    if (shown > 0) {
      err.print("\r" + " ".repeat(shown) + "\r");
      err.flush();
      shown = 0;
    }
  }

  private String text(Duration elapsed, Optional<Duration> total, Counts counts) {
    String span =
        total
            .map(t -> elapsed.toSeconds() + " of " + t.toSeconds() + " s")
            .orElse(elapsed.toSeconds() + " s, Ctrl-C ends");
    WorkCounts softirqs = counts.total(WorkClass.SOFTIRQ);
    WorkCounts items = counts.total(WorkClass.WORKQUEUE).plus(counts.total(WorkClass.BH_WORKQUEUE));
    WorkCounts tasklets = counts.total(WorkClass.TASKLET).plus(counts.total(WorkClass.HI_TASKLET));
    WorkCounts mixes = counts.total(WorkClass.FAST_POOL);
    List<String> parts =
        List.of(
            part(softirqs.started(), "softirqs"),
            part(items.started(), "work items"),
            part(tasklets.started(), "tasklets"),
            part(mixes.started(), "fast pool mixes"));
    String lost = part(lost(softirqs.plus(items).plus(tasklets).plus(mixes)), "lost");
    StringBuilder text = new StringBuilder("measuring " + span);
    for (String part : parts) {
      if (text.length() + part.length() + lost.length() < columns) {
        text.append(part);
      }
    }
    return text + lost;
  }

  private String part(long count, String what) {
    return count == 0
        ? ""
        : " " + units.glyphs().separator() + " " + units.count(count) + " " + what;
  }

  private static long lost(WorkCounts counts) {
    return counts.lost().total(LossReason.Side.QUEUED)
        + counts.lost().total(LossReason.Side.STARTED)
        + counts.lost().total(LossReason.Side.SERVED);
  }
}
