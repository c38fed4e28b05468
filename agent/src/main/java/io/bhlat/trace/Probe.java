// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

/**
 * One attachment of one BPF program.
 *
 * @param kind how it is attached
 * @param target the tracepoint or function, for example {@code workqueue_execute_start}
 * @param program the function in the BPF source
 */
public record Probe(ProbeKind kind, String target, String program) {

  @Override
  public String toString() {
    return kind.label() + " " + target;
  }
}
