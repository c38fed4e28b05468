// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Chooses which functions have series of their own, so that no counter ever shrinks.
 *
 * <p>Each function's counts are split into what was accounted to its own series and what was
 * accounted to its class's "other". What a function counts from one snapshot to the next goes to
 * its own series while it has one, and to "other" while it has none; nothing moves from one to the
 * other afterwards. So every series grows only, and together they are all that was counted:
 *
 * <pre>
 *   has a series:  elsewhere stays,          own = counts − elsewhere
 *   has none:      own stays,                elsewhere = counts − own
 *   other        = what the kernel counts as "other" + the sum of all elsewhere
 * </pre>
 *
 * <p>While there is room, every function gets a series when it is first seen, the busiest first. A
 * full set is sticky: a function keeps its series until it has not run for {@link #IDLE}; then it
 * gives way to the busiest function without one. That is the only way in which a series ends. If
 * that function comes back, its series goes on from where it ended.
 *
 * <p>Thread-safe; relies on a source whose counts only grow. Holds four histograms (8 KB) for every
 * function ever seen, of which the kernel's map bounds the number.
 */
final class FunctionExport {

  /** A function that did not run for that long may lose its series. */
  static final Duration IDLE = Duration.ofHours(1);

  private final int maxFunctions;
  private final Predicate<String> selected;
  private final Map<FunctionKey, Account> accounts = new TreeMap<>();

  /**
   * Exports nothing yet.
   *
   * @param maxFunctions the number of functions with series of their own, over all classes, without
   *     the "other" of each class
   */
  FunctionExport(int maxFunctions) {
    this(maxFunctions, function -> true);
  }

  /**
   * Exports nothing yet.
   *
   * @param maxFunctions the number of functions with series of their own, over all classes, without
   *     the "other" of each class
   * @param selected which functions may have one, by name; asked once for each
   */
  FunctionExport(int maxFunctions, Predicate<String> selected) {
    if (maxFunctions < 0) {
      throw new IllegalArgumentException("max functions is at least 0, not " + maxFunctions);
    }
    this.maxFunctions = maxFunctions;
    this.selected = selected;
  }

  /**
   * One function's series.
   *
   * @param counts what to export
   * @param created when these counts were 0
   */
  record Series(FunctionCounts counts, Instant created) {}

  /**
   * The series for a snapshot, "other" among them.
   *
   * @param snapshot not earlier than that of the last call
   */
  synchronized NavigableMap<FunctionKey, Series> export(Snapshot snapshot) {
    long nowNs = snapshot.takenAtNs();
    Instant attachedAt = snapshot.attachedAt();
    Map<FunctionKey, FunctionCounts> others = new TreeMap<>();
    accounts.values().forEach(account -> account.grownBy = 0);
    snapshot
        .counts()
        .functions()
        .forEach(
            (key, counts) -> {
              if (key.isOther()) {
                others.put(key, counts);
              } else {
                accounts
                    .computeIfAbsent(
                        key, k -> new Account(nowNs, attachedAt, selected.test(key.function())))
                    .update(counts, nowNs);
              }
            });
    promote(nowNs, snapshot.takenAt());

    NavigableMap<FunctionKey, Series> series = new TreeMap<>();
    accounts.forEach(
        (key, account) -> {
          account.settle();
          if (account.exported) {
            series.put(key, new Series(account.own, account.created));
          }
          if (!account.elsewhere.equals(FunctionCounts.NONE)) {
            others.merge(
                FunctionKey.other(key.workClass()), account.elsewhere, FunctionCounts::plus);
          }
        });
    others.forEach((key, counts) -> series.put(key, new Series(counts, attachedAt)));
    return series;
  }

  private void promote(long nowNs, Instant now) {
    List<Account> candidates =
        accounts.values().stream()
            .filter(account -> account.selected && !account.exported && account.grownBy > 0)
            .sorted(Comparator.comparingLong(account -> -account.grownBy))
            .toList();
    long room = maxFunctions - accounts.values().stream().filter(a -> a.exported).count();
    for (Account candidate : candidates) {
      if (room == 0) {
        Optional<Account> idle = longestIdle(nowNs);
        if (idle.isEmpty()) {
          return;
        }
        idle.get().exported = false;
        room++;
      }
      candidate.promote(now);
      room--;
    }
  }

  private Optional<Account> longestIdle(long nowNs) {
    return accounts.values().stream()
        .filter(account -> account.exported && nowNs - account.lastRanNs >= IDLE.toNanos())
        .min(Comparator.comparingLong(account -> account.lastRanNs));
  }

  /** One function's counts and where they were accounted. */
  private static final class Account {
    private FunctionCounts latest = FunctionCounts.NONE;
    private FunctionCounts own = FunctionCounts.NONE;
    private FunctionCounts elsewhere = FunctionCounts.NONE;
    private Instant created;
    private long lastRanNs;
    private long grownBy;
    private boolean exported;
    private boolean settled;
    private final boolean selected;

    Account(long nowNs, Instant created, boolean selected) {
      this.selected = selected;
      this.lastRanNs = nowNs;
      this.created = created;
    }

    void update(FunctionCounts counts, long nowNs) {
      grownBy = runs(counts) - runs(latest);
      if (grownBy > 0) {
        lastRanNs = nowNs;
      }
      latest = counts;
    }

    /** What was counted before a promotion stays in "other", unless the function is new. */
    void promote(Instant now) {
      if (settled) {
        elsewhere = latest.since(own);
        if (own.equals(FunctionCounts.NONE)) {
          created = now;
        }
      }
      exported = true;
    }

    void settle() {
      if (exported) {
        own = latest.since(elsewhere);
      } else {
        elsewhere = latest.since(own);
      }
      settled = true;
    }

    private static long runs(FunctionCounts counts) {
      return counts.queueLatency().count() + counts.serviceTime().count();
    }
  }
}
