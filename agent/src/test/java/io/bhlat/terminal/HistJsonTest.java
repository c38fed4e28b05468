// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.WorkClass;
import io.bhlat.terminal.HistJson.Kind;
import io.bhlat.testing.Golden;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

final class HistJsonTest {

  private static String line(Set<WorkClass> asked, boolean perCpu) {
    return new HistJson(asked, perCpu)
        .render(Kind.TOTAL, Example.HEADER, Example.interval(), Example.plan());
  }

  private static JsonObject parse(String line) {
    return JsonParser.parseString(line).getAsJsonObject();
  }

  private static List<JsonObject> objects(JsonObject parent, String name) {
    return StreamSupport.stream(parent.getAsJsonArray(name).spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .toList();
  }

  @Test
  void whatCannotBeSeenIsNullAndNotZero() {
    String line =
        new HistJson(Set.of(), false)
            .render(
                HistJson.Kind.TOTAL,
                Example.HEADER,
                Example.interval(),
                Example.planOfTracepoints());
    JsonObject randomness =
        JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("interrupt_randomness");
    assertThat(randomness.get("calls").getAsLong()).isPositive();
    assertThat(randomness.get("mixings").isJsonNull()).isTrue();
    assertThat(randomness.get("time_in_interrupt").isJsonNull()).isTrue();
  }

  @Test
  void isWhatTheDocumentDescribes() {
    Golden.assertMatches(
        "terminal/hist.jsonl", line(EnumSet.of(WorkClass.FAST_POOL, WorkClass.WORKQUEUE), true));
  }

  @Test
  void isOneLineForEachObject() {
    assertThat(line(Set.of(), false)).endsWith("}\n").containsOnlyOnce("\n");
  }

  @Test
  void bucketsAddUpToTheCountAndCarryTheirBounds() {
    for (JsonObject work : objects(parse(line(Set.of(), true)), "classes")) {
      JsonObject latency = work.getAsJsonObject("queue_latency");
      long count = 0;
      for (JsonElement element : latency.getAsJsonArray("buckets")) {
        JsonArray bucket = element.getAsJsonArray();
        count += bucket.get(2).getAsLong();
        int cell = bucket.get(0).getAsInt() - LatencyBuckets.FIRST_INDEX + 1;
        assertThat(bucket.get(1).getAsLong()).isEqualTo(LatencyBuckets.upperBoundNs(cell));
      }
      assertThat(count).isEqualTo(latency.get("count").getAsLong());
      assertThat(count).isEqualTo(work.get("started").getAsLong());
    }
  }

  @Test
  void cpusAddUpToTheSum() {
    List<JsonObject> classes =
        objects(parse(line(EnumSet.of(WorkClass.WORKQUEUE), true)), "classes");
    assertThat(classes).hasSize(3);
    assertThat(classes.get(0).get("cpu").isJsonNull()).isTrue();
    assertThat(classes.get(0).get("started").getAsLong())
        .isEqualTo(
            classes.get(1).get("started").getAsLong() + classes.get(2).get("started").getAsLong());
    assertThat(classes.get(1).get("pending").isJsonNull()).isTrue();
  }

  @Test
  void overflowHasNoBoundAndUnderflowItsOwn() {
    JsonObject work = objects(parse(extremes()), "classes").get(0);
    JsonObject latency = work.getAsJsonObject("queue_latency");
    assertThat(latency.get("buckets")).hasToString("[[\"underflow\",59,1],[\"overflow\",null,2]]");
    assertThat(latency.get("quantiles"))
        .hasToString("{\"0.5\":null,\"0.9\":null,\"0.99\":null,\"0.999\":null}");
    assertThat(latency.get("max_ns").getAsLong()).isEqualTo(70_000_000_001L);
    assertThat(work.getAsJsonObject("service_time").get("mean_ns").isJsonNull()).isTrue();
  }

  private static String extremes() {
    long[] latencies = {12, 65_000_000_000L, 70_000_000_001L};
    return new HistJson(EnumSet.of(WorkClass.FAST_POOL), false)
        .render(Kind.INTERVAL, Example.HEADER, Example.fastPoolOnly(latencies), Example.plan());
  }

  @Test
  void leavesOutClassesThatCouldNotBeCounted() {
    String line =
        new HistJson(Set.of(), false)
            .render(Kind.INTERVAL, Example.HEADER, Example.idle(), Example.incompletePlan());
    assertThat(objects(parse(line), "classes"))
        .extracting(work -> work.get("work_class").getAsString())
        .contains("fast_pool", "bh_workqueue", "softirq")
        .doesNotContain("tasklet", "hi_tasklet");
    JsonObject tasklet = objects(parse(line), "measurements").get(2);
    assertThat(tasklet.get("state").getAsString()).isEqualTo("missing");
    assertThat(objects(tasklet, "probes").get(0).get("failure").getAsString()).startsWith("ENOENT");
  }
}
