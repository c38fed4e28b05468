// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the metrics, with real HTTP and, where Debian's package prometheus is installed, a real
 * Prometheus.
 */
@NullMarked
package io.bhlat.metrics;

import org.jspecify.annotations.NullMarked;
