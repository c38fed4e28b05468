// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration files in YAML, whose mistakes are told by file, line, column and what is expected.
 *
 * <p>A file is read into {@link io.bhlat.config.ConfigSection}s and {@link
 * io.bhlat.config.ConfigValue}s, which know where they came from. Who reads one names the keys that
 * it knows, so that none is ignored in silence. {@link io.bhlat.config.AgentConfig} is the agent's
 * own file; that of the web server is read by {@code io.bhlat.web}.
 *
 * <p>All values are immutable and thread-safe.
 */
@NullMarked
package io.bhlat.config;

import org.jspecify.annotations.NullMarked;
