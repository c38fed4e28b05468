// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import io.bhlat.model.WorkClass;
import java.util.Map;
import java.util.Optional;

/** What the module of bpf/lab/truth can be made to do, and as what bhlat should see it. */
enum TruthScenario {
  HI_TASKLET(0, 300, WorkClass.HI_TASKLET, "tasklet"),
  TASKLET(1, 300, WorkClass.TASKLET, "tasklet"),
  HIGHPRI_WORK(2, 300, "work", "events_highpri"),
  UNBOUND_WORK(3, 300, "work", "bhlat_unbound"),
  HELD_HI_TASKLET(0, 100, WorkClass.HI_TASKLET, "tasklet", Hold.BOTTOM_HALVES),
  HELD_TASKLET(1, 100, WorkClass.TASKLET, "tasklet", Hold.BOTTOM_HALVES),
  HELD_WORK(2, 100, "work", "events_highpri", Hold.INTERRUPT),
  CANCELLED(5, 500, "cancelled", "bhlat_bound"),
  ABANDONED(6, 500, "abandoned", "bhlat_bound"),
  REQUEUED_WORK(7, 2_000, "requeued", "bhlat_bound"),
  REQUEUED_TASKLET(8, 2_000, WorkClass.TASKLET, "requeued_tasklet"),
  REQUEUED_HI_TASKLET(9, 2_000, WorkClass.HI_TASKLET, "requeued_tasklet"),
  CONTENDED_WORK(10, 20_000, "contended", "bhlat_bound"),
  CONTENDED_TASKLET(11, 20_000, WorkClass.TASKLET, "contended_tasklet"),
  LIMITED(12, 100, "limited", "bhlat_limited"),
  FREED(13, 5_000, "freed", "bhlat_bound"),
  DISABLED_TASKLET(14, 50, WorkClass.TASKLET, "disabled", Hold.DISABLED),
  OTHER_CPU(15, 500, "other_cpu", "bhlat_bound"),
  MANY(16, 100_000, "many", "bhlat_limited"),
  DATA_TASKLET(17, 1_000, WorkClass.TASKLET, "data"),
  MOVED_TASKLET(18, 5, WorkClass.TASKLET, "moved"),
  MOVED_HI_TASKLET(19, 5, WorkClass.HI_TASKLET, "moved"),
  MOVED_WORK(20, 100, "moved_work", "bhlat_limited");

  private static final Map<String, Integer> DEFAULTS =
      Map.of("pause_us", 500, "hold_irq_us", 0, "hold_bh_us", 0, "hold_us", 2_000);

  /** A time for which items are kept from running, and the module's file that takes it. */
  private enum Hold {
    NONE("hold_us", 2_000),
    INTERRUPT("hold_irq_us", 2_000),
    BOTTOM_HALVES("hold_bh_us", 5_000),
    DISABLED("hold_us", 5_000);

    private final String file;
    private final int us;

    Hold(String file, int us) {
      this.file = file;
      this.us = us;
    }
  }

  private final int kind;
  private final int count;
  private final WorkClass workClass;
  private final String function;
  private final Optional<String> workqueue;
  private final Hold hold;

  TruthScenario(int kind, int count, String function, String workqueue) {
    this(kind, count, function, workqueue, Hold.NONE);
  }

  TruthScenario(int kind, int count, String function, String workqueue, Hold hold) {
    this(kind, count, WorkClass.WORKQUEUE, function, Optional.of(workqueue), hold);
  }

  TruthScenario(int kind, int count, WorkClass workClass, String function) {
    this(kind, count, workClass, function, Hold.NONE);
  }

  TruthScenario(int kind, int count, WorkClass workClass, String function, Hold hold) {
    this(kind, count, workClass, function, Optional.empty(), hold);
  }

  TruthScenario(
      int kind,
      int count,
      WorkClass workClass,
      String function,
      Optional<String> workqueue,
      Hold hold) {
    this.kind = kind;
    this.count = count;
    this.workClass = workClass;
    this.function = function;
    this.workqueue = workqueue;
    this.hold = hold;
  }

  /** What the module's file of that name must hold. */
  Map<String, Integer> files() {
    Map<String, Integer> files = new java.util.TreeMap<>(DEFAULTS);
    files.put(hold.file, hold.us);
    files.put("kind", kind);
    files.put("count", count);
    return files;
  }

  /** Items that are queued, beside those that are cancelled. */
  int count() {
    return count;
  }

  WorkClass workClass() {
    return workClass;
  }

  /** The kernel's name of the function that runs. */
  String function() {
    return "bhlat_truth_" + function + " [bhlat_truth]";
  }

  Optional<String> workqueue() {
    return workqueue;
  }
}
