// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.FunctionKey;
import java.util.Optional;

/**
 * By how much the counts of one function grew, over all CPUs.
 *
 * @param queueLatency queued → run; absent if it did not grow
 * @param serviceTime run → end; likewise
 */
record FunctionGrowth(
    FunctionKey key,
    Optional<HistogramGrowth> queueLatency,
    Optional<HistogramGrowth> serviceTime) {}
