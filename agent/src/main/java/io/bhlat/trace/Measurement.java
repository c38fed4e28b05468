// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.model.WorkClass;
import java.util.EnumSet;
import java.util.Set;

/** Something that bhlat measures, and can lack without the others being touched. */
public enum Measurement {
  /** Interrupt randomness: from the enqueue of the mixing to its start and end. */
  FAST_POOL("fast_pool", WorkClass.FAST_POOL),
  /** Work items of threaded and BH workqueues. */
  WORKQUEUE("workqueue", WorkClass.WORKQUEUE, WorkClass.BH_WORKQUEUE),
  /** Tasklets of both vectors. */
  TASKLET("tasklet", WorkClass.TASKLET, WorkClass.HI_TASKLET),
  /** Softirqs by vector. */
  SOFTIRQ("softirq", WorkClass.SOFTIRQ);

  private final String label;
  private final WorkClass mainClass;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.copyOf
  private final Set<WorkClass> workClasses;

  Measurement(String label, WorkClass first, WorkClass... rest) {
    this.label = label;
    this.mainClass = first;
    this.workClasses = Set.copyOf(EnumSet.of(first, rest));
  }

  /** The value of the {@code measurement} label. */
  public String label() {
    return label;
  }

  /** The work classes that it fills. */
  public Set<WorkClass> workClasses() {
    return workClasses;
  }

  /** The class that stands for all where it cannot be told which of them something belongs to. */
  public WorkClass mainClass() {
    return mainClass;
  }

  /** The measurement that fills a class. */
  public static Measurement of(WorkClass workClass) {
    for (Measurement measurement : values()) {
      if (measurement.workClasses.contains(workClass)) {
        return measurement;
      }
    }
    throw new IllegalArgumentException("no measurement fills " + workClass);
  }
}
