// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabTest {

  /** Interrupts of a real device: the disk of the guest is the host's files over virtio. */
  private static final String INTERRUPTS =
      "(while :; do echo 3 >/proc/sys/vm/drop_caches; head -c 1000000 /proc/self/exe /bin/bash"
          + " >/dev/null; done) & ";

  @BeforeEach
  void assumeLab() {
    LabGuest.assumeThere();
  }

  @Test
  void attachesEveryProbeOnDebians61() throws IOException, InterruptedException {
    LabGuest.assumeKernel("6.1");

    LabGuest guest = LabGuest.agent("6.1", "check", "--json");

    assertThat(guest.exitCode()).as(guest.stderr()).isZero();
    assertThat(guest.json().get("fast_pool_mechanism").getAsString()).isEqualTo("timer");
    assertThat(guest.json().getAsJsonArray("probes"))
        .isNotEmpty()
        .allSatisfy(
            measurement ->
                assertThat(measurement.getAsJsonObject().get("state").getAsString())
                    .as(measurement.toString())
                    .isEqualTo("attached"));
  }

  /** Each kernel is named for what mixes its fast pool. */
  @ParameterizedTest
  @ValueSource(strings = {"timer", "workqueue", "tasklet"})
  void timesTheFastPoolWhateverMixesIt(String mechanism) throws IOException, InterruptedException {
    LabGuest.assumeOwnKernels();

    LabGuest guest =
        LabGuest.shell(
            mechanism, INTERRUPTS + LabGuest.agentCommand("hist", "--duration", "8s", "--json"));

    assertThat(guest.exitCode()).as(guest.stderr()).isZero();
    JsonObject total = guest.json();
    assertThat(total.get("fast_pool_mechanism").getAsString()).isEqualTo(mechanism);
    JsonObject fastPool = workClass(total, "fast_pool");
    assertThat(fastPool.get("started").getAsLong()).as(fastPool.toString()).isPositive();
  }

  private static JsonObject workClass(JsonObject total, String name) {
    for (JsonElement element : total.getAsJsonArray("classes")) {
      if (element.getAsJsonObject().get("work_class").getAsString().equals(name)) {
        return element.getAsJsonObject();
      }
    }
    throw new AssertionError("no " + name + " in " + total);
  }
}
