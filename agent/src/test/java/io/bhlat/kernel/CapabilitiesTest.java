// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static io.bhlat.kernel.Capability.CAP_BPF;
import static io.bhlat.kernel.Capability.CAP_PERFMON;
import static io.bhlat.kernel.Capability.CAP_SYSLOG;
import static io.bhlat.kernel.Capability.CAP_SYS_ADMIN;
import static io.bhlat.kernel.Capability.CAP_SYS_RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapabilitiesTest {
  @TempDir Path root;

  @Test
  void readsTheEffectiveMaskOfRoot() {
    Capabilities all = of("CapPrm:\t0000000000000000\nCapEff:\t000001ffffffffff\n");
    assertThat(all.canLoadTracing()).isTrue();
    assertThat(all.missing()).isEmpty();
    assertThat(all.remedies()).isEmpty();
  }

  @Test
  void namesWhatAPlainUserLacks() {
    Capabilities none = of("Name:\tjava\nCapEff:\t0000000000000000\n");
    assertThat(none.canLoadTracing()).isFalse();
    assertThat(none.missing()).containsExactly(CAP_SYSLOG, CAP_PERFMON, CAP_BPF);
    assertThat(none.remedies())
        .contains(
            "CAP_BPF is missing, needed to create BPF maps and load BPF programs;"
                + " run as root or grant it (systemd: AmbientCapabilities=CAP_BPF)");
  }

  @Test
  void isContentWithBpfAndPerfmonInsteadOfSysAdmin() {
    Capabilities granted = new Capabilities(1L << 39 | 1L << 38, 40);
    assertThat(granted.canLoadTracing()).isTrue();
    assertThat(granted.missing()).containsExactly(CAP_SYSLOG);
    assertThat(new Capabilities(1L << 39, 40).canLoadTracing()).isFalse();
    assertThat(new Capabilities(1L << 38, 40).canLoadTracing()).isFalse();
  }

  @Test
  void isContentWithSysAdminAlone() {
    Capabilities granted = new Capabilities(1L << 21, 40);
    assertThat(granted.canLoadTracing()).isTrue();
    assertThat(granted.missing()).isEmpty();
    assertThat(granted.has(CAP_SYS_RESOURCE)).isFalse();
  }

  @Test
  void asksForSysAdminWhereTheKernelKnowsNothingSmaller() {
    assertThat(new Capabilities(0, 37).missing()).containsExactly(CAP_SYS_ADMIN, CAP_SYSLOG);
  }

  @Test
  void refusesAStatusWithoutAMask() {
    assertThatThrownBy(() -> of("Name:\tjava\n")).hasMessageContaining("no line CapEff:");
    assertThatThrownBy(() -> of("CapEff:\tall\n")).hasMessageContaining("not a number: all");
  }

  @Test
  void readsThisProcess() {
    Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/status")));
    Capabilities mine = Capabilities.read(HostFiles.ofThisHost());
    assertThat(mine.effective() >>> 48).isZero();
  }

  private Capabilities of(String status) {
    return Capabilities.read(
        new FixtureHost(root)
            .with("/proc/self/status", status)
            .with("/proc/sys/kernel/cap_last_cap", "40\n")
            .files());
  }
}
