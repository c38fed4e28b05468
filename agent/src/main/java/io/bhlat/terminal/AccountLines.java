// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.Counts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.trace.ProbePlan;
import java.util.ArrayList;
import java.util.List;

/**
 * The proof that nothing went missing: queued = started + pending + lost, for each class whose
 * queueings are all counted; and the runs that nothing queues.
 */
final class AccountLines {

  private static final String INDENT = "  ";

  private final Units units;
  private final HistOptions options;

  AccountLines(Units units, HistOptions options) {
    this.units = units;
    this.options = options;
  }

  void addTo(Page page, Counts counts, ProbePlan plan) {
    List<String> lines = new ArrayList<>();
    for (WorkClass workClass : WorkClass.values()) {
      WorkCounts total = counts.total(workClass);
      if (!options.shows(workClass)) {
        continue;
      }
      if (plan.countsQueued(workClass) && !total.isNone()) {
        lines.add(account(workClass, total));
      }
      if (total.flushBarriers() > 0) {
        lines.add(
            "%s%-12s  %s flush barriers besides, which nothing queues"
                .formatted(INDENT, workClass.label(), units.count(total.flushBarriers())));
      }
    }
    if (!lines.isEmpty()) {
      page.gap();
      page.line("accounts");
      lines.forEach(line -> page.wrapped(line, INDENT.length() * 2));
    }
  }

  /** Over an interval, fewer may be pending at its end than were at its start. */
  private String account(WorkClass workClass, WorkCounts total) {
    long pending = total.pending();
    String change =
        pending >= 0
            ? "+ pending " + units.count(pending)
            : units.glyphs().minus() + " " + units.count(-pending) + " no longer pending";
    return "%s%-12s  queued %s = started %s %s + lost %s"
        .formatted(
            INDENT,
            workClass.label(),
            units.count(total.queued()),
            units.count(total.started()),
            change,
            units.count(total.lost().total(LossReason.Side.QUEUED)));
  }
}
