// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.LatencyHistogram;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Growths of several histograms summed up, each under its name. Used by one thread. */
final class HistogramSums<K> {

  private final Map<K, HistogramGrowth.Sum> sums = new HashMap<>();

  void add(K name, Optional<HistogramGrowth> growth) {
    growth.ifPresent(
        grown -> sums.computeIfAbsent(name, n -> new HistogramGrowth.Sum(grown)).add(grown));
  }

  LatencyHistogram of(K name) {
    HistogramGrowth.Sum sum = sums.get(name);
    return sum == null ? LatencyHistogram.EMPTY : sum.histogram();
  }

  Map<K, LatencyHistogram> all() {
    Map<K, LatencyHistogram> all = new HashMap<>();
    sums.forEach((name, sum) -> all.put(name, sum.histogram()));
    return all;
  }
}
