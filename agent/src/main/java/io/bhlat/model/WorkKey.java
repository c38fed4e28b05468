// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one set of counts per CPU is about: a work class, and for softirqs the vector.
 *
 * @param workClass the class
 * @param vector the softirq vector; present exactly when the class is {@link WorkClass#SOFTIRQ}
 */
public record WorkKey(WorkClass workClass, Optional<SoftirqVector> vector) {

  /** Every key, in the order in which the kernel's counts and {@link Snapshot}s hold them. */
  public static final List<WorkKey> ALL = all();

  public WorkKey {
    if ((workClass == WorkClass.SOFTIRQ) != vector.isPresent()) {
      throw new IllegalArgumentException("softirq, and only softirq, has a vector: " + workClass);
    }
  }

  /** The key of a class other than softirq. */
  public static WorkKey of(WorkClass workClass) {
    return new WorkKey(workClass, Optional.empty());
  }

  /** The key of a softirq vector. */
  public static WorkKey of(SoftirqVector vector) {
    return new WorkKey(WorkClass.SOFTIRQ, Optional.of(vector));
  }

  /** The place of this key in {@link #ALL}. */
  public int index() {
    return workClass.ordinal() + vector.map(SoftirqVector::number).orElse(0);
  }

  /** The class's label, followed for softirqs by the vector: {@code softirq NET_RX}. */
  @Override
  public String toString() {
    return vector.map(v -> workClass.label() + " " + v.label()).orElse(workClass.label());
  }

  private static List<WorkKey> all() {
    List<WorkKey> keys = new ArrayList<>();
    for (WorkClass workClass : WorkClass.values()) {
      if (workClass != WorkClass.SOFTIRQ) {
        keys.add(of(workClass));
      }
    }
    for (SoftirqVector vector : SoftirqVector.values()) {
      keys.add(of(vector));
    }
    return List.copyOf(keys);
  }
}
