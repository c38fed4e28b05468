// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

/**
 * What one BPF program of ours cost, over all CPUs, as the kernel counts it.
 *
 * @param runs how often it ran
 * @param runTimeNs how long, in nanoseconds, all runs together
 */
public record ProgramRuns(long runs, long runTimeNs) {

  /** No run. */
  public static final ProgramRuns NONE = new ProgramRuns(0, 0);

  /** The runs of both. */
  public ProgramRuns plus(ProgramRuns other) {
    return new ProgramRuns(runs + other.runs, runTimeNs + other.runTimeNs);
  }

  /** What it cost since an earlier state. */
  public ProgramRuns since(ProgramRuns earlier) {
    return new ProgramRuns(runs - earlier.runs, runTimeNs - earlier.runTimeNs);
  }
}
