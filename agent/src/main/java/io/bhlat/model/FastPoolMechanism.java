// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.List;

/**
 * How a kernel defers the mixing of its per-CPU pool of interrupt randomness. The first three, in
 * this order, are what can be waited for.
 */
public enum FastPoolMechanism {
  /** By an expired timer: mainline since 6.1, and stable kernels of late 2022. */
  TIMER("timer"),
  /** By a work item on system_highpri_wq: 5.18 to 6.0, RHEL 9.0 to 9.2. */
  WORKQUEUE("workqueue"),
  /** By a hi tasklet: proposed in September 2022, never merged. */
  TASKLET("tasklet"),
  /** Not at all: it is mixed in the interrupt, and there is nothing to wait for. */
  INLINE("inline"),
  /** Not known here: by a timer or by a work item. */
  UNKNOWN("unknown");

  /** The mechanisms that can be waited for: each has counts of its own. */
  public static final List<FastPoolMechanism> DEFERRED = List.of(TIMER, WORKQUEUE, TASKLET);

  private final String label;

  FastPoolMechanism(String label) {
    this.label = label;
  }

  /** The value of the {@code mechanism} label. */
  public String label() {
    return label;
  }
}
