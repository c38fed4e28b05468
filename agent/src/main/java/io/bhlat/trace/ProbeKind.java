// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

/** A way to attach a BPF program, most exact first. */
public enum ProbeKind {
  FENTRY("fentry"),
  /** At the return of a function; it sees the arguments too. */
  FEXIT("fexit"),
  RAW_TRACEPOINT("raw_tracepoint"),
  KPROBE("kprobe"),
  /** At the return of a function. */
  KRETPROBE("kretprobe");

  private final String label;

  ProbeKind(String label) {
    this.label = label;
  }

  /** The value of the {@code kind} label. */
  public String label() {
    return label;
  }
}
