// SPDX-License-Identifier: Apache-2.0
/**
 * What the packages hold beside the agent and is made of its command line: the manual page and the
 * completion for bash. Runs when packages are built and is in none of them.
 */
@NullMarked
package io.bhlat.packaging;

import org.jspecify.annotations.NullMarked;
