// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.model.WorkClass;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** Something that bhlat measures, and can lack without the others being touched. */
public enum Measurement {
  /** Interrupt randomness: from the enqueue of the mixing to its start and end. */
  FAST_POOL("fast_pool", WorkClass.FAST_POOL),
  /** Work items of threaded and BH workqueues. */
  WORKQUEUE("workqueue", WorkClass.WORKQUEUE, WorkClass.BH_WORKQUEUE),
  /** Tasklets of both vectors. */
  TASKLET("tasklet", WorkClass.HI_TASKLET, WorkClass.TASKLET),
  /** Softirqs by vector. */
  SOFTIRQ("softirq", WorkClass.SOFTIRQ),
  /** Calls of add_interrupt_randomness, which defer the mixing of the fast pool. */
  INTERRUPT_RANDOMNESS("interrupt_randomness"),
  /** Calls of queue_work_on, which queue most work items. */
  QUEUE_WORK_ON("queue_work_on");

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.copyOf
  private final Set<WorkClass> workClasses;

  Measurement(String label, WorkClass... workClasses) {
    this.label = label;
    this.workClasses = Set.copyOf(Arrays.asList(workClasses));
  }

  /** The value of the {@code measurement} label. */
  public String label() {
    return label;
  }

  /** The work classes that it fills; none for the calls of functions that queue. */
  public Set<WorkClass> workClasses() {
    return workClasses;
  }

  /** The class that stands for all where it cannot be told which of them something belongs to. */
  public WorkClass mainClass() {
    return switch (this) {
      case FAST_POOL, INTERRUPT_RANDOMNESS -> WorkClass.FAST_POOL;
      case WORKQUEUE, QUEUE_WORK_ON -> WorkClass.WORKQUEUE;
      case TASKLET -> WorkClass.TASKLET;
      case SOFTIRQ -> WorkClass.SOFTIRQ;
    };
  }

  /** Whether it tells of this class: by filling it, or of the calls that queue such work. */
  public boolean concerns(WorkClass workClass) {
    return workClass == mainClass() || workClasses.contains(workClass);
  }

  /** All that tell of this class. */
  public static Set<Measurement> concerning(WorkClass workClass) {
    Set<Measurement> all = EnumSet.allOf(Measurement.class);
    all.removeIf(measurement -> !measurement.concerns(workClass));
    return all;
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
