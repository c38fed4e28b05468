// SPDX-License-Identifier: Apache-2.0
/**
 * The InfiniBand adapters of this host and their ports, from /sys/class/infiniband: which
 * interrupts and network devices belong to an adapter whose traffic a latency may hit.
 *
 * <p>A host without adapters is an ordinary host: the list is empty. A file that cannot be read
 * takes nothing but its own value away, and is named in {@link
 * io.bhlat.infiniband.Adapters#problems()}.
 */
@NullMarked
package io.bhlat.infiniband;

import org.jspecify.annotations.NullMarked;
