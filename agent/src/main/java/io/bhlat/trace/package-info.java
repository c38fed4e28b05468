// SPDX-License-Identifier: Apache-2.0
/**
 * What is traced and how: the plan of probes, the BPF sources that serve it, and the source of
 * snapshots that comes of it. Knows no native library; that is {@code io.bhlat.trace.bcc}.
 */
@NullMarked
package io.bhlat.trace;

import org.jspecify.annotations.NullMarked;
