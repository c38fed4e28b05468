// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One measurement on 6.1 while live patches change what mixes the fast pool, and a CPU goes offline
 * and comes back: bpf/lab/guest/mixings.
 */
class MixingTest {

  /** What a slow guest queues and starts between the reading of the starts and of the queueings. */
  private static final long SKEW = 10;

  private static JsonObject total = new JsonObject();

  @BeforeAll
  static void measure() throws IOException, InterruptedException {
    LabGuest.assumeThere();
    LabGuest.assumeKernel("6.1");
    String module = LabGuest.module("6.1", "livepatch");
    LabGuest guest =
        LabGuest.shell(
            "6.1",
            LabGuest.repository().resolve("bpf/lab/guest/mixings")
                + " "
                + module
                + " /tmp/intervals "
                + LabGuest.agentCommand("hist", "--json", "--duration", "10m", "--interval", "2s")
                + " && tail -1 /tmp/intervals");
    assertThat(guest.exitCode()).as(guest.stderr()).isZero();
    total = guest.json();
    assertThat(total.get("kind").getAsString()).isEqualTo("total");
  }

  private static List<JsonObject> classes(String name) {
    List<JsonObject> found = new ArrayList<>();
    for (JsonElement element : total.getAsJsonArray("classes")) {
      if (element.getAsJsonObject().get("work_class").getAsString().equals(name)) {
        found.add(element.getAsJsonObject());
      }
    }
    return found;
  }

  private static JsonObject fastPool(String mechanism) {
    return classes("fast_pool").stream()
        .filter(entry -> entry.get("mechanism").getAsString().equals(mechanism))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no mixing by " + mechanism + " in " + total));
  }

  private static long count(JsonObject histogram) {
    return histogram.get("count").getAsLong();
  }

  @Test
  void eachMechanismIsTimedUnderItsOwnName() {
    for (String mechanism : List.of("timer", "workqueue", "tasklet")) {
      JsonObject mixing = fastPool(mechanism);
      assertThat(mixing.get("started").getAsLong()).as(mixing.toString()).isPositive();
      assertThat(count(mixing.getAsJsonObject("service_time"))).as(mixing.toString()).isPositive();
    }
  }

  @Test
  void theContextThatRanTheMixingIsTold() {
    assertThat(fastPool("workqueue").getAsJsonObject("queue_latency_in").keySet())
        .containsExactly("kworker");
    for (String mechanism : List.of("timer", "tasklet")) {
      JsonObject contexts = fastPool(mechanism).getAsJsonObject("queue_latency_in");
      assertThat(contexts.keySet()).isSubsetOf("irq_exit", "ksoftirqd", "irq_thread");
      long inAll =
          contexts.entrySet().stream().mapToLong(c -> count(c.getValue().getAsJsonObject())).sum();
      assertThat(inAll).isEqualTo(fastPool(mechanism).get("started").getAsLong());
    }
  }

  @Test
  void everyMixingThatWasQueuedIsAccountedFor() {
    for (JsonObject mixing : classes("fast_pool")) {
      assertThat(mixing.get("pending").getAsLong()).as(mixing.toString()).isBetween(-SKEW, SKEW);
    }
  }

  @Test
  void everyCallOfAddInterruptRandomnessIsCountedAndTimed() {
    JsonObject randomness = total.getAsJsonObject("interrupt_randomness");
    long calls = randomness.get("calls").getAsLong();
    assertThat(calls).as(randomness.toString()).isPositive();
    assertThat(count(randomness.getAsJsonObject("time_in_interrupt")))
        .as("read a little earlier")
        .isCloseTo(calls, withinPercentage(2));
    long queued = 0;
    for (JsonObject mixing : classes("fast_pool")) {
      queued += mixing.get("queued").getAsLong();
    }
    // A mixing timer that moves away from a CPU that goes offline is queued again, elsewhere.
    assertThat(randomness.get("mixings").getAsLong()).isCloseTo(queued, withinPercentage(2));
    assertThat(randomness.getAsJsonArray("interrupts"))
        .anySatisfy(
            interrupt ->
                assertThat(interrupt.getAsJsonObject().get("device").getAsString())
                    .startsWith("virtio"));
  }

  @Test
  void callsOfQueueWorkOnAreToldByResultAndRequestedCpu() {
    List<String> kinds = new ArrayList<>();
    for (JsonElement element : total.getAsJsonArray("queue_work_on")) {
      JsonObject call = element.getAsJsonObject();
      kinds.add(call.get("request").getAsString() + " " + call.get("result").getAsString());
    }
    assertThat(kinds).contains("same_cpu queued", "unbound queued");
  }

  @Test
  void aCpuThatWasOfflineLeavesNothingThatSeemsToWait() {
    for (JsonObject softirq : classes("softirq")) {
      JsonObject latency = softirq.getAsJsonObject("queue_latency");
      if (count(latency) > 0) {
        assertThat(latency.get("max_ns").getAsLong())
            .as("it was offline for two intervals: %s", softirq.get("vector"))
            .isLessThan(Duration.ofSeconds(3).toNanos());
      }
      assertThat(softirq.get("pending").getAsLong()).as(softirq.toString()).isBetween(-SKEW, SKEW);
    }
  }
}
