// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelReleaseTest {
  private static final String DEBIAN_RT = "#1 SMP PREEMPT_RT Debian 6.1.106-3 (2024-08-26)";
  private static final String DEBIAN = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.106-3 (2024-08-26)";

  @ParameterizedTest
  @CsvSource({
    "6.1.0-25-rt-amd64, 6, 1",
    "5.14.0-284.30.1.el9_2.x86_64, 5, 14",
    "6.18.44-fc-v657, 6, 18",
    "5.10.0-30-amd64, 5, 10",
    "7.3, 7, 3",
    "7.3-rc1, 7, 3",
  })
  void readsTheTwoLeadingNumbers(String text, int major, int minor) {
    KernelRelease release = KernelRelease.of(text, DEBIAN);
    assertThat(release.major()).isEqualTo(major);
    assertThat(release.minor()).isEqualTo(minor);
  }

  @ParameterizedTest
  @CsvSource({"''", "linux", "6", "6.", "6.x", "123456789012.1"})
  void refusesTextThatIsNoRelease(String text) {
    assertThatThrownBy(() -> KernelRelease.of(text, DEBIAN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kernel release must begin with two numbers");
  }

  @Test
  void knowsPreemptRtByItsVersionText() {
    assertThat(KernelRelease.of("6.1.0-25-rt-amd64", DEBIAN_RT).isPreemptRt()).isTrue();
    assertThat(KernelRelease.of("4.18.0-240.rt7.54", "#1 SMP PREEMPT RT Tue").isPreemptRt())
        .isTrue();
    assertThat(KernelRelease.of("6.1.0-25-amd64", DEBIAN).isPreemptRt()).isFalse();
  }

  @Test
  void knowsPreemptRtByTheFileOfTheRtPatches(@TempDir Path root) {
    FixtureHost host =
        new FixtureHost(root)
            .with("/proc/sys/kernel/osrelease", "5.10.0-30-rt-amd64\n")
            .with("/proc/sys/kernel/version", "#1 SMP\n")
            .with("/sys/kernel/realtime", "1\n");
    assertThat(KernelRelease.read(host.files()).isPreemptRt()).isTrue();
    host.with("/sys/kernel/realtime", "0\n");
    assertThat(KernelRelease.read(host.files()).isPreemptRt()).isFalse();
  }

  @Test
  void printsReleaseAndVersion(@TempDir Path root) {
    FixtureHost host =
        new FixtureHost(root)
            .with("/proc/sys/kernel/osrelease", "6.1.0-25-amd64\n")
            .with("/proc/sys/kernel/version", DEBIAN + "\n");
    assertThat(KernelRelease.read(host.files())).hasToString("6.1.0-25-amd64 (" + DEBIAN + ")");
  }

  @Test
  void saysWhatToMountWithoutProcfs(@TempDir Path root) {
    assertThatThrownBy(() -> KernelRelease.read(new HostFiles(root)))
        .isInstanceOf(HostReadException.class)
        .hasMessageContaining("/proc/sys/kernel/version: ENOENT; is procfs mounted");
  }
}
