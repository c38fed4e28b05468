// SPDX-License-Identifier: Apache-2.0
/**
 * What is measured, as metrics for Prometheus, and the HTTP server that serves them.
 *
 * <p><b>Way of the data.</b> {@link io.bhlat.metrics.KernelMetrics} takes one {@link
 * io.bhlat.model.Snapshot} a scrape and makes metric families of it; {@link
 * io.bhlat.metrics.HostMetrics} says what the host is and which probes are attached, {@link
 * io.bhlat.metrics.InfinibandMetrics} which adapters it has; {@link
 * io.bhlat.metrics.GuardedCollectors} holds them, so that one that fails never takes the others
 * along; {@link io.bhlat.metrics.AgentMetrics} adds the agent's own meters; {@link
 * io.bhlat.metrics.MetricsServer} serves it all through {@code io.bhlat.web}. {@link
 * io.bhlat.metrics.OpenMetricsDump} writes the same families once, without a server. Every name is
 * in {@link io.bhlat.metrics.MetricNames}.
 *
 * <p><b>Histograms</b> carry native buckets of schema 3 and classic ones (every power of two from
 * 2^-22 to 2^3 seconds), both derived from the same cells without rounding.
 *
 * <p><b>Cardinality.</b> One histogram is one series where native histograms are ingested, and 29
 * series otherwise (27 buckets, sum, count). Per CPU there are at most 66 histograms: queue latency
 * of 4 classes, of the fast pool and of 10 vectors in 4 contexts each, service time of 5 classes
 * and 10 vectors, activation of 2 classes, time in add_interrupt_randomness. Per host there are at
 * most 2 · (max functions + 4). Histograms that counted nothing on any CPU are left out, and so are
 * CPUs that counted nothing; a series that was exported once stays, because counts only grow. The
 * one exception are functions that did not run for an hour, see {@link
 * io.bhlat.metrics.FunctionExport}. docs/METRICS.md has the formula, and a test holds it.
 */
@NullMarked
package io.bhlat.metrics;

import org.jspecify.annotations.NullMarked;
