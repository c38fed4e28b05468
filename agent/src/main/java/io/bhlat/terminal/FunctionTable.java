// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.FunctionSelection;
import io.bhlat.model.Interval;
import io.bhlat.model.WorkClass;
import io.bhlat.terminal.Table.Column;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The functions that ran most often, busiest first. */
final class FunctionTable {

  private static final int PREFERRED_FUNCTION = 28;
  private static final int PREFERRED_WORKQUEUE = 16;
  private static final int LEAST_NAME = 10;

  private final Units units;
  private final HistOptions options;

  FunctionTable(Units units, HistOptions options) {
    this.units = units;
    this.options = options;
  }

  /** Adds the table to a page, or nothing where no function of a shown class ran. */
  void addTo(Page page, Interval interval) {
    Map<FunctionKey, FunctionCounts> functions = new TreeMap<>(interval.counts().functions());
    functions
        .entrySet()
        .removeIf(
            entry ->
                entry.getValue().equals(FunctionCounts.NONE)
                    || !options.shows(entry.getKey().workClass()));
    if (functions.isEmpty() || options.functions() == 0) {
      return;
    }
    List<FunctionKey> ordered = FunctionSelection.inDisplayOrder(functions);
    List<FunctionKey> named = ordered.stream().filter(key -> !key.isOther()).toList();
    List<FunctionKey> listed = named.subList(0, Math.min(options.functions(), named.size()));
    Table table = new Table(shape(), units.glyphs());
    for (FunctionKey key : ordered) {
      if (key.isOther() || listed.contains(key)) {
        FunctionCounts counts = functions.getOrDefault(key, FunctionCounts.NONE);
        table.row(row(key, counts, interval));
      }
    }
    page.gap();
    page.lines(table.render(page.columns()));
    int left = named.size() - listed.size();
    if (left > 0) {
      page.line(
          "%d of %d functions shown; the other %d ran %s times"
              .formatted(
                  listed.size(), named.size(), left, units.count(runs(functions, named, listed))));
    }
  }

  private static long runs(
      Map<FunctionKey, FunctionCounts> functions,
      List<FunctionKey> named,
      List<FunctionKey> listed) {
    return named.subList(listed.size(), named.size()).stream()
        .mapToLong(key -> functions.getOrDefault(key, FunctionCounts.NONE).queueLatency().count())
        .sum();
  }

  private List<Column> shape() {
    String atMost = " " + units.glyphs().atMost();
    return List.of(
        Column.name("function", PREFERRED_FUNCTION, LEAST_NAME),
        Column.name("workqueue", PREFERRED_WORKQUEUE, LEAST_NAME),
        Column.number("count"),
        Column.optional("rate", 1),
        Column.number("p50" + atMost),
        Column.number("p99" + atMost),
        Column.number("max"),
        Column.number("service"));
  }

  private List<String> row(FunctionKey key, FunctionCounts counts, Interval interval) {
    return List.of(
        key.function(),
        workqueue(key),
        units.shortCount(counts.queueLatency().count()),
        units.rate(interval.perSecond(counts.queueLatency().count())),
        units.bareQuantile(counts.queueLatency(), 0.5),
        units.bareQuantile(counts.queueLatency(), 0.99),
        units.maximum(counts.queueLatency()),
        units.mean(counts.serviceTime()));
  }

  /** The workqueue, with a mark where it runs in softirq context; the class where there is none. */
  private static String workqueue(FunctionKey key) {
    String mark = key.workClass() == WorkClass.BH_WORKQUEUE ? " (BH)" : "";
    return key.workqueue().map(name -> name + mark).orElse("(" + key.workClass().label() + ")");
  }
}
