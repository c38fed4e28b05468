// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.Counts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.util.ArrayList;
import java.util.List;

/** Which samples were lost, why, and what helps; nothing where none was. */
final class LossLines {

  private static final String INDENT = "  ";

  private final Units units;
  private final HistOptions options;

  LossLines(Units units, HistOptions options) {
    this.units = units;
    this.options = options;
  }

  void addTo(Page page, Counts counts) {
    List<String> lines = new ArrayList<>();
    for (LossReason reason : LossReason.values()) {
      List<String> keys = new ArrayList<>();
      for (WorkClass workClass : WorkClass.values()) {
        long lost = counts.lostByClass(workClass).count(reason);
        if (options.shows(workClass) && lost > 0) {
          keys.add(INDENT.repeat(2) + line(workClass.label(), lost));
        }
      }
      for (WorkKey key : WorkKey.ALL) {
        WorkCounts total = counts.total(key);
        if (options.shows(key.workClass()) && total.lost().count(reason) > 0) {
          keys.add(INDENT.repeat(2) + line(key, reason, total));
        }
      }
      if (!keys.isEmpty()) {
        lines.add(INDENT + reason.label() + ": " + reason.remedy());
        lines.addAll(keys);
      }
    }
    if (!lines.isEmpty()) {
      page.gap();
      page.line("lost samples");
      lines.forEach(line -> page.wrapped(line, INDENT.length() * 3));
    }
  }

  private String line(WorkKey key, LossReason reason, WorkCounts total) {
    long lost = total.lost().count(reason);
    long starts = total.started() + total.lost().total(LossReason.Side.STARTED);
    long all = reason.side() == LossReason.Side.QUEUED ? total.queued() : starts;
    String of = reason.side() == LossReason.Side.QUEUED ? " of queued" : " of starts";
    String share = all < lost ? "" : "  " + units.percent((double) lost / all) + of;
    return line(key.toString(), lost) + share;
  }

  private String line(String what, long lost) {
    return "%-16s %9s".formatted(what, units.count(lost));
  }
}
