// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.bhlat.metrics.PrometheusProcess;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.testing.KernelLoad;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a real Prometheus says of {@code bhlat serve} and what {@code bhlat hist --json} says of the
 * same span: the same, within one bucket.
 *
 * <p>The spans differ by a scrape interval at either end, one in twenty of the samples, and the
 * load is never quite steady: a quantile q of n samples is searched at q ± (0.05 + 3 √(q (1 − q) /
 * n)). And each of the two sees what the other's programs cost, which matters for what takes a
 * microsecond. (That one and the same source is shown alike, PrometheusScrapeTest proves.)
 */
class ServedAsPrintedTest {

  private static final int SPAN_SECONDS = 20;

  /** A quantile with fewer samples beyond it hangs on single ones, which one span may lack. */
  private static final int FEWEST_SAMPLES_BEYOND = 10;

  /** A function that runs now and then runs at other moments for the one than for the other. */
  private static final int FEWEST_SAMPLES_OF_A_FUNCTION = 1_000;

  private static final long COST_OF_THE_OTHER_NS = 1_000;

  /** The share of samples that only one of the two spans has. */
  private static final double EDGES = 1.0 / SPAN_SECONDS;

  private static final List<Double> QUANTILES = List.of(0.5, 0.9, 0.99);

  /** One histogram as hist printed it, and the selector of the same in Prometheus. */
  private record Printed(String selector, JsonObject histogram) {
    long count() {
      return histogram.get("count").getAsLong();
    }

    boolean isComparableAt(double quantile) {
      return count() * (1 - quantile) >= FEWEST_SAMPLES_BEYOND
          && (!selector.contains("_function_") || count() >= FEWEST_SAMPLES_OF_A_FUNCTION);
    }

    /** The native index of the bucket with that quantile, clamped to 0 … 1. */
    int indexAt(double quantile) {
      long rank = Math.max(1, (long) Math.ceil(Math.min(1, Math.max(0, quantile)) * count()));
      long seen = 0;
      for (JsonElement bucket : histogram.getAsJsonArray("buckets")) {
        JsonArray fields = bucket.getAsJsonArray();
        seen += fields.get(2).getAsLong();
        if (seen >= rank) {
          return switch (fields.get(0).getAsString()) {
            case "underflow" -> LatencyBuckets.FIRST_INDEX - 1;
            case "overflow" -> LatencyBuckets.LAST_INDEX + 1;
            default -> fields.get(0).getAsInt();
          };
        }
      }
      throw new AssertionError("no bucket at " + quantile + " in " + histogram);
    }
  }

  @Test
  void prometheusGivesTheQuantilesThatHistPrints(@TempDir Path directory) throws Exception {
    Needs.root();
    PrometheusProcess.assumeInstalled("prometheus");
    try (BhlatProcess serve =
            BhlatProcess.bhlat("serve", "--web.listen-address", "127.0.0.1:0").start();
        PrometheusProcess prometheus = PrometheusProcess.scraping(target(serve), directory);
        KernelLoad load = KernelLoad.start()) {
      prometheus.awaitValue("sum(bhlat_started_total{work_class=\"workqueue\"})", n -> n > 1_000);
      JsonObject total =
          JsonParser.parseString(
                  BhlatProcess.bhlat("hist", "--json", "--duration", SPAN_SECONDS + "s")
                      .run()
                      .out())
              .getAsJsonObject();
      double end = Instant.parse(total.get("to").getAsString()).toEpochMilli() / 1e3;
      prometheus.awaitValue("timestamp(bhlat_pending{work_class=\"workqueue\"})", t -> t > end + 1);
      List<String> compared = new ArrayList<>();
      for (Printed printed : histograms(total)) {
        for (double quantile : QUANTILES) {
          if (printed.isComparableAt(quantile)) {
            compare(prometheus, printed, quantile, end);
            compared.add(printed.selector);
          }
        }
      }
      assertThat(compared)
          .anyMatch(selector -> selector.startsWith("bhlat_queue_latency_seconds"))
          .anyMatch(selector -> selector.startsWith("bhlat_service_time_seconds"))
          .anyMatch(selector -> selector.startsWith("bhlat_softirq_latency_seconds"))
          .anyMatch(selector -> selector.startsWith("bhlat_softirq_service_time_seconds"))
          .anyMatch(selector -> selector.startsWith("bhlat_function_queue_latency_seconds"))
          .anyMatch(selector -> selector.startsWith("bhlat_fast_pool_latency_seconds"));
    }
  }

  private static String target(BhlatProcess serve) {
    Matcher line =
        Pattern.compile("http://([0-9.]+:\\d+)/metrics")
            .matcher(serve.awaitErr(text -> text.contains("/metrics")));
    assertThat(line.find()).isTrue();
    return line.group(1);
  }

  private static void compare(
      PrometheusProcess prometheus, Printed printed, double quantile, double end) {
    String query =
        "histogram_quantile(%s, sum(increase(%s[%ds] @ %.3f)))"
            .formatted(quantile, printed.selector, SPAN_SECONDS, end);
    double seconds;
    try {
      seconds = prometheus.value(query);
    } catch (Exception e) {
      throw new AssertionError(query, e);
    }
    double spread = EDGES + 3 * Math.sqrt(quantile * (1 - quantile) / printed.count());
    int lowest = printed.indexAt(quantile - spread) - 1;
    int highest = printed.indexAt(quantile + spread) + 1;
    assertThat(seconds * 1e9)
        .as("%s, of %d samples", query, printed.count())
        .isBetween(
            1e9 * LatencyBuckets.upperBoundSeconds(lowest - 1) - COST_OF_THE_OTHER_NS,
            quantile + spread >= 1
                ? Double.MAX_VALUE
                : 1e9 * LatencyBuckets.upperBoundSeconds(highest) + COST_OF_THE_OTHER_NS);
  }

  private static List<Printed> histograms(JsonObject total) {
    List<Printed> histograms = new ArrayList<>();
    for (JsonElement element : total.getAsJsonArray("classes")) {
      JsonObject entry = element.getAsJsonObject();
      String workClass = entry.get("work_class").getAsString();
      String byClass = "{work_class=\"" + workClass + "\"}";
      switch (workClass) {
        case "softirq" -> {
          String vector = "{vector=\"" + entry.get("vector").getAsString() + "\"}";
          add(histograms, "bhlat_softirq_latency_seconds" + vector, entry, "queue_latency");
          add(histograms, "bhlat_softirq_service_time_seconds" + vector, entry, "service_time");
        }
        case "fast_pool" -> {
          add(histograms, "bhlat_fast_pool_latency_seconds", entry, "queue_latency");
          add(histograms, "bhlat_service_time_seconds" + byClass, entry, "service_time");
        }
        default -> {
          add(histograms, "bhlat_queue_latency_seconds" + byClass, entry, "queue_latency");
          add(histograms, "bhlat_service_time_seconds" + byClass, entry, "service_time");
        }
      }
    }
    for (JsonElement element : total.getAsJsonArray("functions")) {
      JsonObject entry = element.getAsJsonObject();
      if (!entry.get("workqueue").isJsonNull()) {
        String labels =
            "{function=\"%s\",workqueue=\"%s\"}"
                .formatted(
                    entry.get("function").getAsString(), entry.get("workqueue").getAsString());
        add(histograms, "bhlat_function_queue_latency_seconds" + labels, entry, "queue_latency");
        add(histograms, "bhlat_function_service_time_seconds" + labels, entry, "service_time");
      }
    }
    return histograms;
  }

  private static void add(
      List<Printed> histograms, String selector, JsonObject entry, String histogram) {
    histograms.add(new Printed(selector, entry.getAsJsonObject(histogram)));
  }
}
