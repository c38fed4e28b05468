// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.RunContext;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * By how much the counts of one key grew on one CPU. What did not grow is absent or 0.
 *
 * @param queued queueings
 * @param flushBarriers runs of flush barriers
 * @param lost lost samples
 * @param queueLatency queued → run
 * @param queueLatencyIn the same by what ran it
 * @param activationLatency queued → activated
 * @param serviceTime run → end
 */
record WorkGrowth(
    WorkKey key,
    long queued,
    long flushBarriers,
    LossCounts lost,
    Optional<HistogramGrowth> queueLatency,
    Map<RunContext, HistogramGrowth> queueLatencyIn,
    Optional<HistogramGrowth> activationLatency,
    Optional<HistogramGrowth> serviceTime) {

  static WorkGrowth between(WorkKey key, WorkCounts before, WorkCounts now) {
    Map<RunContext, HistogramGrowth> in = new EnumMap<>(RunContext.class);
    now.queueLatencyIn()
        .forEach(
            (context, latency) ->
                grown(
                        before.queueLatencyIn().getOrDefault(context, LatencyHistogram.EMPTY),
                        latency)
                    .ifPresent(growth -> in.put(context, growth)));
    return new WorkGrowth(
        key,
        now.queued() - before.queued(),
        now.flushBarriers() - before.flushBarriers(),
        now.lost().since(before.lost()),
        grown(before.queueLatency(), now.queueLatency()),
        in,
        grown(before.activationLatency(), now.activationLatency()),
        grown(before.serviceTime(), now.serviceTime()));
  }

  /** Absent if it did not grow. */
  static Optional<HistogramGrowth> grown(LatencyHistogram before, LatencyHistogram now) {
    return now.equals(before)
        ? Optional.empty()
        : Optional.of(HistogramGrowth.between(before, now));
  }

  /** Several growths of one key on one CPU. Used by one thread. */
  static final class Sum {
    private long queued;
    private long flushBarriers;
    private LossCounts lost = LossCounts.NONE;
    private final HistogramSums<String> latencies = new HistogramSums<>();
    private final HistogramSums<RunContext> queueLatencyIn = new HistogramSums<>();

    void add(WorkGrowth growth) {
      queued += growth.queued;
      flushBarriers += growth.flushBarriers;
      lost = lost.plus(growth.lost);
      latencies.add("queue", growth.queueLatency);
      latencies.add("activation", growth.activationLatency);
      latencies.add("service", growth.serviceTime);
      growth.queueLatencyIn.forEach(
          (context, latency) -> queueLatencyIn.add(context, Optional.of(latency)));
    }

    WorkCounts counts() {
      return new WorkCounts(
          queued,
          flushBarriers,
          lost,
          latencies.of("queue"),
          queueLatencyIn.all(),
          latencies.of("activation"),
          latencies.of("service"));
    }
  }
}
