// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoftirqTableTest {
  private static final String TABLE =
      """
                          CPU0       CPU2
                HI:          1          0
             TIMER:       3830       5581
            NET_TX:          4          1
            NET_RX:       1439       1490
             BLOCK:          0       9803
          IRQ_POLL:          0          0
           TASKLET:          2          0
             SCHED:       8761      10610
           HRTIMER:          0          0
               RCU:       7052       7608
      """;

  @TempDir Path root;

  @Test
  void countsByVectorAndCpu() {
    SoftirqTable table = table(TABLE);
    assertThat(table.vectors())
        .containsExactly(
            "HI",
            "TIMER",
            "NET_TX",
            "NET_RX",
            "BLOCK",
            "IRQ_POLL",
            "TASKLET",
            "SCHED",
            "HRTIMER",
            "RCU");
    assertThat(table.cpus()).hasToString("0,2");
    assertThat(table.count("TIMER", 0)).hasValue(3830);
    assertThat(table.count("TIMER", 2)).hasValue(5581);
    assertThat(table.total("NET_RX")).hasValue(2929);
  }

  @Test
  void isEmptyForCpusAndVectorsWithoutACount() {
    SoftirqTable table = table(TABLE);
    assertThat(table.count("TIMER", 1)).isEmpty();
    assertThat(table.count("NET", 0)).isEmpty();
    assertThat(table.total("NET")).isEmpty();
  }

  @Test
  void refusesOtherForms() {
    assertThatThrownBy(() -> table("")).hasMessageEndingWith("softirqs: it is empty");
    assertThatThrownBy(() -> table("CPU0 X\n"))
        .isInstanceOf(HostReadException.class)
        .hasMessageContaining("its first line names no CPU: \"X\"");
    assertThatThrownBy(() -> table("CPU0\nTIMER 5\n")).hasMessageContaining("has no label");
  }

  @Test
  void readsTheRunningKernel() {
    assumeTrue(Files.isReadable(Path.of("/proc/softirqs")), "no procfs");
    SoftirqTable before = SoftirqTable.read(HostFiles.ofThisHost());
    SoftirqTable after = SoftirqTable.read(HostFiles.ofThisHost());
    assertThat(before.vectors()).hasSize(10).startsWith("HI", "TIMER").endsWith("RCU");
    for (String vector : before.vectors()) {
      assertThat(after.total(vector).orElseThrow())
          .isGreaterThanOrEqualTo(before.total(vector).orElseThrow());
    }
  }

  private SoftirqTable table(String text) {
    return SoftirqTable.read(new FixtureHost(root).with("/proc/softirqs", text).files());
  }
}
