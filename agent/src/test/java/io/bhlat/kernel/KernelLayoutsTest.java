// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static io.bhlat.kernel.BtfBuilder.Field.field;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelLayoutsTest {
  private static final String DEBIAN = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.106-3 (2024-08-26)";

  @Test
  void takesFromBtfWhatItHasAndLeavesOutTheRest() {
    BtfBuilder builder = new BtfBuilder();
    int pointer = builder.pointer(0);
    int number = builder.integer("unsigned int", 4);
    int name = builder.array(builder.integer("char", 1), 32);
    builder.struct("work_struct", 32, field("data", pointer, 0), field("func", pointer, 24));
    builder.struct("workqueue_struct", 512, field("name", name, 192), field("flags", number, 256));
    KernelLayout layout = KernelLayouts.fromBtf(builder.parse());
    assertThat(layout.source()).isEqualTo(KernelLayout.Source.BTF);
    assertThat(layout.defines())
        .containsExactly(
            Map.entry("WORK_STRUCT_FUNC_OFFSET", 24L),
            Map.entry("WORK_STRUCT_DATA_OFFSET", 0L),
            Map.entry("WORKQUEUE_STRUCT_NAME_OFFSET", 192L),
            Map.entry("WORKQUEUE_STRUCT_NAME_LENGTH", 32L),
            Map.entry("WORKQUEUE_STRUCT_FLAGS_OFFSET", 256L));
    assertThat(layout.missing())
        .containsExactly(
            LayoutField.TASKLET_STRUCT_FUNC_OFFSET,
            LayoutField.TASKLET_STRUCT_STATE_OFFSET,
            LayoutField.TASKLET_STRUCT_DATA_OFFSET,
            LayoutField.TASKLET_STRUCT_USE_CALLBACK_OFFSET,
            LayoutField.TIMER_LIST_FUNCTION_OFFSET,
            LayoutField.TIMER_LIST_FLAGS_OFFSET,
            LayoutField.POOL_WORKQUEUE_WQ_OFFSET,
            LayoutField.POOL_WORKQUEUE_POOL_OFFSET,
            LayoutField.WORKER_POOL_CPU_OFFSET,
            LayoutField.IRQACTION_NEXT_OFFSET);
    assertThat(layout.bytes(LayoutField.WORKER_POOL_CPU_OFFSET)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "5.10.0-30-amd64, 176, 24",
    "6.1.0-25-amd64, 176, 24",
    "6.12.43+deb13-amd64, 192, 32",
    "6.12.9+bpo-amd64, 192, 32",
    "6.18.5+deb14-amd64, 192, 32",
    "7.3.4-amd64, 184, 32",
  })
  void knowsTheLayoutOfDebiansKernels(String release, int nameOffset, int nameLength) {
    KernelLayout layout = KernelLayouts.known(KernelRelease.of(release, DEBIAN)).orElseThrow();
    assertThat(layout.source()).isEqualTo(KernelLayout.Source.KNOWN_TABLE);
    assertThat(layout.bytes(LayoutField.WORKQUEUE_STRUCT_NAME_OFFSET)).hasValue(nameOffset);
    assertThat(layout.bytes(LayoutField.WORKQUEUE_STRUCT_NAME_LENGTH)).hasValue(nameLength);
    assertThat(layout.bytes(LayoutField.TASKLET_STRUCT_FUNC_OFFSET)).hasValue(24);
    assertThat(layout.missing()).containsExactly(LayoutField.WORKQUEUE_STRUCT_FLAGS_OFFSET);
  }

  @ParameterizedTest
  @CsvSource({
    "6.1.0-25-rt-amd64, Debian",
    "6.1.0-25-cloud-amd64, Debian",
    "6.1.0-25-arm64, Debian",
    "6.6.13+bpo-amd64, Debian",
    "6.1.0-25-amd64, PREEMPT_RT Debian",
    "6.1.0-25-amd64, somebody",
    "5.14.0-284.30.1.el9_2.x86_64, RedHat",
    "6.18.44-fc-v657, somebody",
  })
  void guessesNothingForOtherKernels(String release, String version) {
    assertThat(KernelLayouts.known(KernelRelease.of(release, version))).isEmpty();
  }
}
