// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {

  @Test
  void readsRangesAndSingleCpus() {
    CpuSet cpus = CpuSet.parse("0-3,8,10-11\n");
    assertThat(cpus.stream()).containsExactly(0, 1, 2, 3, 8, 10, 11);
    assertThat(cpus.count()).isEqualTo(7);
    assertThat(cpus.max()).isEqualTo(11);
    assertThat(cpus.contains(8)).isTrue();
    assertThat(cpus.contains(9)).isFalse();
    assertThat(cpus.contains(-1)).isFalse();
    assertThat(cpus.contains(Integer.MAX_VALUE)).isFalse();
  }

  @Test
  void readsTheEmptyList() {
    CpuSet none = CpuSet.parse("\n");
    assertThat(none.isEmpty()).isTrue();
    assertThat(none.count()).isZero();
    assertThat(none).hasToString("");
    assertThatThrownBy(none::max).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0-1", "0-3,8,10-11", "5,7,9", "0-8191"})
  void printsWhatTheKernelPrints(String list) {
    assertThat(CpuSet.parse(list)).hasToString(list);
  }

  @Test
  void joinsOverlappingAndUnsortedRanges() {
    assertThat(CpuSet.parse("4-5,0-2,1-4")).isEqualTo(CpuSet.of(0, 1, 2, 3, 4, 5));
    assertThat(CpuSet.parse("4-5,0-2,1-4")).hasToString("0-5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0-7:2/4 | strides are not supported",
        "3-1 | ends before it begins",
        "0,,2 | a CPU is a decimal number",
        "0- | a CPU is a decimal number",
        "-1 | a CPU is a decimal number",
        "all | a CPU is a decimal number",
        "0-99999999999 | no kernel has a CPU above",
        "2000000 | no kernel has a CPU above",
      })
  void refusesOtherFormsAndSaysWhy(String list, String rule) {
    assertThatThrownBy(() -> CpuSet.parse(list))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(list)
        .hasMessageContaining(rule);
  }

  @Test
  void readsPossibleAndOnlineOfTheHost(@TempDir Path root) {
    HostFiles host =
        new FixtureHost(root)
            .with("/sys/devices/system/cpu/possible", "0-7\n")
            .with("/sys/devices/system/cpu/online", "0,2-7\n")
            .files();
    assertThat(CpuSet.possible(host).count()).isEqualTo(8);
    assertThat(CpuSet.online(host)).hasToString("0,2-7");
  }

  @Test
  void namesTheFileThatHoldsNoList(@TempDir Path root) {
    HostFiles host = new FixtureHost(root).with("/sys/devices/system/cpu/online", "zero\n").files();
    assertThatThrownBy(() -> CpuSet.online(host))
        .isInstanceOf(HostReadException.class)
        .hasMessageContaining("cpu/online")
        .hasMessageContaining("zero");
  }
}
