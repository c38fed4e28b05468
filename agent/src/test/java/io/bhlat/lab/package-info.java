// SPDX-License-Identifier: Apache-2.0
/**
 * The agent on other kernels than this machine's: each test boots one in the lab (bpf/lab/run) and
 * runs the agent there, from the classes under test. Skipped unless BHLAT_LAB=1, for each boot
 * takes half a minute and more.
 */
@NullMarked
package io.bhlat.lab;

import org.jspecify.annotations.NullMarked;
