// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

/**
 * What identifies the host's kernel and this program in metrics and on the landing page.
 *
 * @param kernelRelease as {@code uname -r} prints it
 * @param kernelVersion as {@code uname -v} prints it
 * @param preemptRt whether the kernel is a PREEMPT_RT one, where softirqs run in threads
 * @param bhlatVersion the version of this program
 */
public record HostLabels(
    String kernelRelease, String kernelVersion, boolean preemptRt, String bhlatVersion) {}
