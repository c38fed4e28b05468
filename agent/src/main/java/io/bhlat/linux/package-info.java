// SPDX-License-Identifier: Apache-2.0
/**
 * What Java has no call for: a few functions of the C library and the kernel, mapped by JNA. With
 * {@code trace.bcc} the only package that knows JNA.
 */
@NullMarked
package io.bhlat.linux;

import org.jspecify.annotations.NullMarked;
