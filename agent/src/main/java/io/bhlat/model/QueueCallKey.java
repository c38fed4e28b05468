// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Comparator;

/**
 * A kind of call of queue_work_on.
 *
 * @param cpu the CPU that called
 * @param requested the CPU that it asked for, {@link #UNBOUND} or {@link #OTHER}
 * @param queued whether the item was queued; else it was pending already
 */
public record QueueCallKey(int cpu, int requested, boolean queued)
    implements Comparable<QueueCallKey> {

  /** In the place of a CPU: WORK_CPU_UNBOUND, which leaves the choice to the kernel. */
  public static final int UNBOUND = -1;

  /** In the place of a CPU: any, for calls that the kernel's map had no room to tell apart. */
  public static final int OTHER = -2;

  private static final Comparator<QueueCallKey> ORDER =
      Comparator.comparingInt(QueueCallKey::cpu)
          .thenComparingInt(QueueCallKey::requested)
          .thenComparing(QueueCallKey::queued);

  /** Which CPU was asked for, as seen from the one that called. */
  public enum Request {
    SAME_CPU("same_cpu"),
    OTHER_CPU("other_cpu"),
    UNBOUND("unbound"),
    UNTOLD("untold");

    private final String label;

    Request(String label) {
      this.label = label;
    }

    /** The value of the {@code request} label. */
    public String label() {
      return label;
    }
  }

  /** Which CPU was asked for, as seen from the one that called. */
  public Request request() {
    return switch (requested) {
      case UNBOUND -> Request.UNBOUND;
      case OTHER -> Request.UNTOLD;
      default -> requested == cpu ? Request.SAME_CPU : Request.OTHER_CPU;
    };
  }

  /** The value of the {@code result} label. */
  public static String resultLabel(boolean queued) {
    return queued ? "queued" : "already_pending";
  }

  @Override
  public int compareTo(QueueCallKey other) {
    return ORDER.compare(this, other);
  }
}
