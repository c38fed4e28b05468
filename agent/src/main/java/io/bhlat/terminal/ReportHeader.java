// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

/**
 * What a report says about the host that was measured.
 *
 * @param hostname the node name, as uname gives it
 * @param kernelRelease such as {@code 6.1.0-28-amd64}
 * @param kernelVersion the build, such as {@code #1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1}
 * @param cpus the CPUs that were measured, in the kernel's list form: {@code 0-7,9}
 */
public record ReportHeader(
    String hostname, String kernelRelease, String kernelVersion, String cpus) {}
