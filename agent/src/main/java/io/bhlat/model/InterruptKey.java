// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Comparator;

/**
 * Where add_interrupt_randomness is called.
 *
 * @param cpu the CPU that handled the interrupt
 * @param irq the interrupt's number, or {@link #OTHER}
 * @param device what has the interrupt, as /proc/interrupts names it, several separated by commas;
 *     empty if nothing has
 */
public record InterruptKey(int cpu, int irq, String device) implements Comparable<InterruptKey> {

  /** In the place of a number: interrupts that the kernel's map had no room for. */
  public static final int OTHER = -1;

  private static final Comparator<InterruptKey> ORDER =
      Comparator.comparingInt(InterruptKey::irq)
          .thenComparing(InterruptKey::device)
          .thenComparingInt(InterruptKey::cpu);

  /** The value of the {@code irq} label. */
  public String irqLabel() {
    return irq == OTHER ? "other" : Integer.toString(irq);
  }

  @Override
  public int compareTo(InterruptKey other) {
    return ORDER.compare(this, other);
  }
}
