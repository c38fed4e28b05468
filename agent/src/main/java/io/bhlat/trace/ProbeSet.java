// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.LayoutField;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One way to serve a measurement: the probes that it takes.
 *
 * @param name what tells it from the other ways, a phrase
 * @param measurement the measurement
 * @param files the BPF sources that hold the programs, beside counting.c, in order
 * @param parts the probes and what each sees
 * @param countsQueued whether every queueing is counted
 * @param notes what is less exact this way
 * @param bonuses more that is attached where it can be, each by the first of its ways that serves:
 *     nothing is lost without it that this kernel does by itself
 */
record ProbeSet(
    String name,
    Measurement measurement,
    List<String> files,
    List<Part> parts,
    boolean countsQueued,
    List<String> notes,
    List<List<ProbeSet>> bonuses) {

  /** A way without bonuses. */
  ProbeSet(
      String name,
      Measurement measurement,
      List<String> files,
      List<Part> parts,
      boolean countsQueued,
      List<String> notes) {
    this(name, measurement, files, parts, countsQueued, notes, List.of());
  }

  /**
   * What a probe sees. Attached in this order, so that nothing is taken for queued whose start
   * could be missed; detached in the opposite one.
   */
  enum Role {
    END,
    START,
    ACTIVATE,
    QUEUE
  }

  /**
   * One thing that a set must see.
   *
   * @param alternatives the probes that see it, the most exact first; one of them is enough
   * @param costWhenMissing what is lost without it; absent if the set is of no use then
   */
  record Part(Role role, List<Probe> alternatives, Optional<String> costWhenMissing) {

    Part {
      alternatives = List.copyOf(alternatives);
    }

    boolean isRequired() {
      return costWhenMissing.isEmpty();
    }
  }

  ProbeSet {
    files = List.copyOf(files);
    parts = parts.stream().sorted(Comparator.comparing(Part::role)).toList();
    notes = List.copyOf(notes);
    bonuses = bonuses.stream().map(List::copyOf).toList();
  }

  /** The offsets without which a file does not compile; the others it can do without. */
  private static final Map<String, List<LayoutField>> NEEDED_FIELDS =
      Map.of(
          "workqueue.c",
          List.of(LayoutField.WORK_STRUCT_FUNC_OFFSET, LayoutField.WORK_STRUCT_DATA_OFFSET),
          "tasklet_by_function.c",
          List.of(LayoutField.TASKLET_STRUCT_FUNC_OFFSET, LayoutField.TASKLET_STRUCT_STATE_OFFSET),
          "tasklet_by_callback.c",
          List.of(LayoutField.TASKLET_STRUCT_DATA_OFFSET),
          "fast_pool_timer.c",
          List.of(LayoutField.TIMER_LIST_FUNCTION_OFFSET));

  /** The files that a file uses, beside counting.c. */
  private static final Map<String, List<String>> USED_FILES =
      Map.of(
          "softirq.c", List.of("context.c"),
          "fast_pool.c", List.of("context.c"),
          "pending.c", List.of("fast_pool.c", "context.c"),
          "tasklet_by_raise.c", List.of("fast_pool.c", "context.c"),
          "fast_pool_timer.c", List.of("fast_pool.c", "context.c"));

  /** All files to compile for this set, beside counting.c, in any order. */
  Set<String> allFiles() {
    Set<String> all = new HashSet<>(files);
    files.forEach(file -> all.addAll(USED_FILES.getOrDefault(file, List.of())));
    return all;
  }

  /** The offsets within kernel structs that this set cannot do without. */
  List<LayoutField> neededFields() {
    return files.stream()
        .flatMap(file -> NEEDED_FIELDS.getOrDefault(file, List.of()).stream())
        .toList();
  }
}
