// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Arrays;
import java.util.Optional;

/** A kind of deferred kernel work, with the label that metrics and the command line use for it. */
public enum WorkClass {
  /** The mixing of the per-CPU pool of interrupt randomness, however the kernel defers it. */
  FAST_POOL("fast_pool"),
  /** Work items that run in a kworker. */
  WORKQUEUE("workqueue"),
  /** Work items of BH workqueues (since Linux 6.9), which run in softirq context. */
  BH_WORKQUEUE("bh_workqueue"),
  /** Tasklets of the HI vector. */
  HI_TASKLET("hi_tasklet"),
  /** Tasklets of the TASKLET vector. */
  TASKLET("tasklet"),
  /** Softirq vectors, from the first raise to the entry of the handler. */
  SOFTIRQ("softirq");

  private final String label;

  WorkClass(String label) {
    this.label = label;
  }

  /** The value of the {@code work_class} label, for example {@code hi_tasklet}. */
  public String label() {
    return label;
  }

  /**
   * Whether the work of this class is a function of its own, so that it can be told by function.
   */
  public boolean hasFunctions() {
    return this == WORKQUEUE || this == BH_WORKQUEUE || this == HI_TASKLET || this == TASKLET;
  }

  /** The class with that label, if there is one. */
  public static Optional<WorkClass> ofLabel(String label) {
    return Arrays.stream(values()).filter(c -> c.label.equals(label)).findFirst();
  }
}
