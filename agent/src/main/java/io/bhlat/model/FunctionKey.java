// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Comparator;
import java.util.Optional;

/**
 * A function that runs deferred work.
 *
 * @param workClass a class that {@linkplain WorkClass#hasFunctions has functions}
 * @param function the kernel symbol ({@code blk_mq_run_work_fn}, {@code foo_work [module]}), the
 *     {@code hidden_1} and so on where symbols are hidden, or {@link #OTHER}
 * @param workqueue the name of the workqueue, absent for tasklets and {@link #OTHER}
 */
public record FunctionKey(WorkClass workClass, String function, Optional<String> workqueue)
    implements Comparable<FunctionKey> {

  /** Stands for all functions of a class that are not counted by themselves. */
  public static final String OTHER = "other";

  private static final Comparator<FunctionKey> ORDER =
      Comparator.comparing(FunctionKey::workClass)
          .thenComparing(FunctionKey::function)
          .thenComparing(key -> key.workqueue().orElse(""));

  public FunctionKey {
    if (!workClass.hasFunctions()) {
      throw new IllegalArgumentException(workClass.label() + " has no functions");
    }
  }

  /** The key of all functions of a class that are not counted by themselves. */
  public static FunctionKey other(WorkClass workClass) {
    return new FunctionKey(workClass, OTHER, Optional.empty());
  }

  /** Whether this is {@link #other}. */
  public boolean isOther() {
    return function.equals(OTHER) && workqueue.isEmpty();
  }

  @Override
  public int compareTo(FunctionKey that) {
    return ORDER.compare(this, that);
  }
}
