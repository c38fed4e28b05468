// SPDX-License-Identifier: Apache-2.0
/** The commands. The only package that wires the others together. */
@NullMarked
package io.bhlat.cli;

import org.jspecify.annotations.NullMarked;
