// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

/** A way to attach a BPF program, most exact first. */
public enum ProbeKind {
  FENTRY("fentry"),
  RAW_TRACEPOINT("raw_tracepoint"),
  KPROBE("kprobe");

  private final String label;

  ProbeKind(String label) {
    this.label = label;
  }

  /** The value of the {@code kind} label. */
  public String label() {
    return label;
  }
}
