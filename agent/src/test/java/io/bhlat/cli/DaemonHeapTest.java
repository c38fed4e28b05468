// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DaemonHeapTest {

  private static final long RECORDER_BYTES = 4 << 20;

  @Test
  void aSmallHostGetsLittleAndALargeOneWhatAScrapeOfItTakes() {
    assertThat(DaemonHeap.limitMiB(2, RECORDER_BYTES)).isEqualTo(17);
    assertThat(DaemonHeap.limitMiB(256, RECORDER_BYTES)).isEqualTo(128);
    assertThat(DaemonHeap.limitMiB(2, 0)).isEqualTo(13);
  }
}
