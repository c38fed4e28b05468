// SPDX-License-Identifier: Apache-2.0
/**
 * The BPF side of tracing, through libbcc: compile, load, attach, map and read. The only package
 * that knows JNA and native memory; nothing native leaves it.
 *
 * <p>Every handle is final and AutoCloseable and belongs to one {@link
 * io.bhlat.trace.bcc.LiveSource}; closing that detaches all. The kernel frees everything by itself
 * when the process dies, however it dies, because nothing is pinned and nothing attached outlives
 * its descriptor.
 */
@NullMarked
package io.bhlat.trace.bcc;

import org.jspecify.annotations.NullMarked;
