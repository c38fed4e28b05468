// SPDX-License-Identifier: Apache-2.0
/**
 * What this host's kernel is: its release, processors, symbols, type layout, privileges and tables
 * of interrupts and softirqs.
 *
 * <p>Everything here reads files of procfs, sysfs, securityfs and tracefs below the root of a
 * {@link io.bhlat.kernel.HostFiles}; nothing writes, and nothing calls native code. All values are
 * immutable and may be shared between threads.
 *
 * <p>Only a file that does not exist counts as absent. Every other failure to read is thrown as
 * {@link io.bhlat.kernel.HostReadException}, which names the file and the reason, because "cannot
 * read" and "is not there" lead to different remedies.
 *
 * <p>Facts found here are advice for the plan of probes. Whether a probe can be attached is only
 * known by attaching it.
 */
@NullMarked
package io.bhlat.kernel;

import org.jspecify.annotations.NullMarked;
