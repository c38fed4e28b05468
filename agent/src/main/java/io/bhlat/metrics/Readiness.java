// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

/**
 * Whether scrapes give measurements yet.
 *
 * @param ready whether they do
 * @param reason a sentence for people: what is served, or what is still missing
 */
public record Readiness(boolean ready, String reason) {}
