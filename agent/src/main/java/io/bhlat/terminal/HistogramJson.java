// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import com.google.gson.stream.JsonWriter;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import java.io.IOException;

/** A histogram as a JSON object; docs/JSON.md describes it. */
final class HistogramJson {

  private static final String[] QUANTILES = {"0.5", "0.9", "0.99", "0.999"};

  private HistogramJson() {}

  static void write(JsonWriter json, LatencyHistogram histogram) throws IOException {
    json.beginObject();
    json.name("count").value(histogram.count());
    json.name("sum_ns").value(histogram.sumNs());
    json.name("mean_ns");
    if (histogram.isEmpty()) {
      json.nullValue();
    } else {
      json.value(Math.round(histogram.meanNs()));
    }
    json.name("max_ns");
    bound(json, histogram, histogram.maxNs());
    json.name("max_exact").value(histogram.maxExact());
    json.name("quantiles").beginObject();
    for (String quantile : QUANTILES) {
      json.name(quantile);
      bound(json, histogram, histogram.quantileBoundNs(Double.parseDouble(quantile)));
    }
    json.endObject();
    json.name("buckets");
    buckets(json, histogram);
    json.endObject();
  }

  private static void bound(JsonWriter json, LatencyHistogram histogram, long boundNs)
      throws IOException {
    if (histogram.isEmpty() || boundNs == LatencyBuckets.UNBOUNDED_NS) {
      json.nullValue();
    } else {
      json.value(boundNs);
    }
  }

  private static void buckets(JsonWriter json, LatencyHistogram histogram) throws IOException {
    json.beginArray();
    for (int cell = 0; cell < LatencyBuckets.CELLS; cell++) {
      if (histogram.countInCell(cell) == 0) {
        continue;
      }
      json.beginArray();
      if (cell == LatencyBuckets.UNDERFLOW_CELL) {
        json.value("underflow");
      } else if (cell == LatencyBuckets.OVERFLOW_CELL) {
        json.value("overflow");
      } else {
        json.value(LatencyBuckets.nativeIndexOfCell(cell));
      }
      bound(json, histogram, LatencyBuckets.upperBoundNs(cell));
      json.value(histogram.countInCell(cell));
      json.endArray();
    }
    json.endArray();
  }
}
