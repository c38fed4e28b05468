// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

/**
 * One attachment of one BPF program.
 *
 * @param kind how it is attached
 * @param target the tracepoint or function, for example {@code workqueue_execute_start}; or {@link
 *     #CALLBACKS}
 * @param program the function in the BPF source
 */
public record Probe(ProbeKind kind, String target, String program) {

  /** Not one function but those that tasklets run, each probed when it is found. */
  public static final String CALLBACKS = "tasklet_callbacks";

  /** Whether it is attached to functions as they are found. */
  public boolean isOfCallbacks() {
    return target.equals(CALLBACKS);
  }

  @Override
  public String toString() {
    return kind.label() + " " + target;
  }
}
