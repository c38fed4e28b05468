// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

/**
 * Calls of add_interrupt_randomness.
 *
 * @param calls how many
 * @param mixings of those, how many queued a mixing of the fast pool
 */
public record InterruptCalls(long calls, long mixings) {

  /** No call. */
  public static final InterruptCalls NONE = new InterruptCalls(0, 0);

  /** The calls of both. */
  public InterruptCalls plus(InterruptCalls other) {
    return new InterruptCalls(calls + other.calls, mixings + other.mixings);
  }

  /** The calls since an earlier state. */
  public InterruptCalls since(InterruptCalls earlier) {
    return new InterruptCalls(calls - earlier.calls, mixings - earlier.mixings);
  }
}
