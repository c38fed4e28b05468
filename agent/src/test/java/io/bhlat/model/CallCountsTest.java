// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.QueueCallKey.Request;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CallCountsTest {

  private static final InterruptKey NETWORK = new InterruptKey(0, 27, "mlx4-1");
  private static final InterruptKey DISK = new InterruptKey(0, 27, "nvme0q1");

  private static CallCounts counts(long network, long disk, long local, long remote) {
    TreeMap<InterruptKey, InterruptCalls> interrupts = new TreeMap<>();
    interrupts.put(NETWORK, new InterruptCalls(network, network / 64));
    if (disk > 0) {
      interrupts.put(DISK, new InterruptCalls(disk, 0));
    }
    TreeMap<QueueCallKey, Long> queueWorkOn = new TreeMap<>();
    queueWorkOn.put(new QueueCallKey(1, 1, true), local);
    queueWorkOn.put(new QueueCallKey(1, 0, true), remote);
    queueWorkOn.put(new QueueCallKey(1, 2, true), 1L);
    queueWorkOn.put(new QueueCallKey(1, QueueCallKey.UNBOUND, false), 5L);
    return new CallCounts(new TreeMap<>(), interrupts, queueWorkOn);
  }

  @Test
  void anInterruptThatChangedItsDeviceIsTwo() {
    CallCounts growth = counts(640, 10, 0, 0).since(counts(128, 0, 0, 0));
    assertThat(growth.interrupts().get(NETWORK)).isEqualTo(new InterruptCalls(512, 8));
    assertThat(growth.interrupts().get(DISK)).isEqualTo(new InterruptCalls(10, 0));
    assertThat(growth.totalInterrupts()).isEqualTo(new InterruptCalls(522, 8));
  }

  @Test
  void queueingsAreToldByTheCpuThatWasAskedFor() {
    CallCounts counts = counts(1, 0, 30, 7);
    assertThat(counts.queueWorkOn(Request.SAME_CPU, true)).isEqualTo(30);
    assertThat(counts.queueWorkOn(Request.OTHER_CPU, true)).isEqualTo(8);
    assertThat(counts.queueWorkOn(Request.UNBOUND, false)).isEqualTo(5);
    assertThat(counts.queueWorkOn(Request.UNBOUND, true)).isZero();
    assertThat(counts.since(counts(1, 0, 10, 7)).queueWorkOn(Request.SAME_CPU, true)).isEqualTo(20);
  }
}
