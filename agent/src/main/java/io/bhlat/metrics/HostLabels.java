// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import java.util.OptionalLong;

/**
 * What identifies the host's kernel and this program in metrics and on the landing page, and what
 * else of the host does not change while bhlat runs.
 *
 * @param kernelRelease as {@code uname -r} prints it
 * @param kernelVersion as {@code uname -v} prints it
 * @param preemptRt whether the kernel is a PREEMPT_RT one, where softirqs run in threads
 * @param bootTimeSeconds when the host booted, in seconds since 1970; empty where the kernel does
 *     not tell
 * @param bhlatVersion the version of this program
 */
public record HostLabels(
    String kernelRelease,
    String kernelVersion,
    boolean preemptRt,
    OptionalLong bootTimeSeconds,
    String bhlatVersion) {}
