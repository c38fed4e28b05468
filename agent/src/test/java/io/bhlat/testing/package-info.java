// SPDX-License-Identifier: Apache-2.0
/** Helpers that tests of several packages share. */
@NullMarked
package io.bhlat.testing;

import org.jspecify.annotations.NullMarked;
