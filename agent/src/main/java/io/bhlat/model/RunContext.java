// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

/**
 * What ran deferred work: a thread that the kernel has for it, or what it met.
 *
 * <p>The kernel tells which task was current. On an ordinary kernel a task that is none of these
 * threads was interrupted, or enabled bottom halves again: both are {@link #IRQ_EXIT}. On
 * PREEMPT_RT softirqs never run on the way out of an interrupt: there it is {@link #TASK}.
 */
public enum RunContext {
  /** At the end of an interrupt, or of a section with bottom halves disabled. */
  IRQ_EXIT("irq_exit"),
  /** PREEMPT_RT: by the task that enabled bottom halves again. */
  TASK("task"),
  /** By ksoftirqd, the thread for softirqs that were put off. */
  KSOFTIRQD("ksoftirqd"),
  /** By ktimers, the thread for timers on PREEMPT_RT and with threadirqs. */
  KTIMERS("ktimers"),
  /** In a thread of an interrupt, which enabled bottom halves again. */
  IRQ_THREAD("irq_thread"),
  /** By a kworker: the fast pool's mixing as a work item. */
  KWORKER("kworker");

  private final String label;

  RunContext(String label) {
    this.label = label;
  }

  /** The value of the {@code context} label. */
  public String label() {
    return label;
  }
}
