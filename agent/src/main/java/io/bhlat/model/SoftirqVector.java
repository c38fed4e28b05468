// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

/**
 * The kernel's softirq vectors in the order of their numbers (include/linux/interrupt.h; unchanged
 * from 4.18 to 7.3).
 */
public enum SoftirqVector {
  HI,
  TIMER,
  NET_TX,
  NET_RX,
  BLOCK,
  IRQ_POLL,
  TASKLET,
  SCHED,
  HRTIMER,
  RCU;

  /** The vector's number, as softirq_entry gives it. */
  public int number() {
    return ordinal();
  }

  /** The value of the {@code vector} label: the kernel's own name, as in /proc/softirqs. */
  public String label() {
    return name();
  }
}
