// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one set of counts per CPU is about: a work class, for softirqs the vector, for the fast pool
 * the mechanism.
 *
 * @param workClass the class
 * @param vector the softirq vector; present exactly when the class is {@link WorkClass#SOFTIRQ}
 * @param mechanism what mixes the fast pool, one of {@link FastPoolMechanism#DEFERRED}; present
 *     exactly when the class is {@link WorkClass#FAST_POOL}
 */
public record WorkKey(
    WorkClass workClass, Optional<SoftirqVector> vector, Optional<FastPoolMechanism> mechanism) {

  /** Every key, in the order in which the kernel's counts and {@link Snapshot}s hold them. */
  public static final List<WorkKey> ALL = all();

  public WorkKey {
    if ((workClass == WorkClass.SOFTIRQ) != vector.isPresent()) {
      throw new IllegalArgumentException("softirq, and only softirq, has a vector: " + workClass);
    }
    if ((workClass == WorkClass.FAST_POOL)
        != mechanism.filter(FastPoolMechanism.DEFERRED::contains).isPresent()) {
      throw new IllegalArgumentException(
          "fast_pool, and only fast_pool, has a mechanism: " + workClass + ", " + mechanism);
    }
  }

  /** The key of a class other than softirq and fast pool. */
  public static WorkKey of(WorkClass workClass) {
    return new WorkKey(workClass, Optional.empty(), Optional.empty());
  }

  /** The key of a softirq vector. */
  public static WorkKey of(SoftirqVector vector) {
    return new WorkKey(WorkClass.SOFTIRQ, Optional.of(vector), Optional.empty());
  }

  /** The key of the fast pool mixed in that way. */
  public static WorkKey of(FastPoolMechanism mechanism) {
    return new WorkKey(WorkClass.FAST_POOL, Optional.empty(), Optional.of(mechanism));
  }

  /** The place of this key in {@link #ALL}. */
  public int index() {
    // Asked for tens of thousands of times a scrape; lambdas took a tenth of reading the counts.
    if (mechanism.isPresent()) {
      return FastPoolMechanism.DEFERRED.indexOf(mechanism.get());
    }
    int further = FastPoolMechanism.DEFERRED.size() - 1;
    return workClass.ordinal() + further + (vector.isPresent() ? vector.get().number() : 0);
  }

  /** Whether its queue latencies are told by {@link RunContext}. */
  public boolean hasContexts() {
    return workClass == WorkClass.FAST_POOL || workClass == WorkClass.SOFTIRQ;
  }

  /**
   * The class's label with vector or mechanism: {@code softirq NET_RX}, {@code fast_pool (timer)}.
   */
  @Override
  public String toString() {
    return workClass.label()
        + vector.map(v -> " " + v.label()).orElse("")
        + mechanism.map(m -> " (" + m.label() + ")").orElse("");
  }

  private static List<WorkKey> all() {
    List<WorkKey> keys = new ArrayList<>();
    FastPoolMechanism.DEFERRED.forEach(mechanism -> keys.add(of(mechanism)));
    for (WorkClass workClass : WorkClass.values()) {
      if (workClass != WorkClass.SOFTIRQ && workClass != WorkClass.FAST_POOL) {
        keys.add(of(workClass));
      }
    }
    for (SoftirqVector vector : SoftirqVector.values()) {
      keys.add(of(vector));
    }
    return List.copyOf(keys);
  }
}
