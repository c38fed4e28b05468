// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptTableTest {
  private static final String TABLE =
      """
                 CPU0       CPU3
        0:         35          0   IO-APIC   2-edge      timer
       16:          1          2   IO-APIC  16-fasteoi   ehci_hcd:usb1, i801_smbus
       24:          0          0  PCI-MSI 327680-edge
       64:          7        900  PCI-MSIX-0000:08:00.0   1-edge      mlx4-1@0000:08:00.0
       65:          0          3  IR-PCI-MSI 1048576-edge      mlx5_comp0@pci:0000:09:00.0
       30:          5          0     GICv3  30 Level     arch_timer
       31:          0          0     GICv3  31 Edge
      NMI:          0          0   Non-maskable interrupts
      LOC:       1520       1630   Local timer interrupts
      ERR:          4
      MIS:          0
      """;

  @TempDir Path root;

  @Test
  void namesTheDevicesOfAnInterrupt() {
    InterruptTable table = table(TABLE);
    assertThat(table.numbered(0).orElseThrow().devices()).containsExactly("timer");
    assertThat(table.numbered(16).orElseThrow().devices())
        .containsExactly("ehci_hcd:usb1", "i801_smbus");
    assertThat(table.numbered(64).orElseThrow().devices()).containsExactly("mlx4-1@0000:08:00.0");
    assertThat(table.numbered(65).orElseThrow().devices())
        .containsExactly("mlx5_comp0@pci:0000:09:00.0");
    assertThat(table.numbered(30).orElseThrow().devices()).containsExactly("arch_timer");
    assertThat(table.numbered(99)).isEmpty();
  }

  @Test
  void namesNoDeviceWithoutAHandler() {
    InterruptTable table = table(TABLE);
    assertThat(table.numbered(24).orElseThrow().devices()).isEmpty();
    assertThat(table.numbered(31).orElseThrow().devices()).isEmpty();
    assertThat(table.numbered(24).orElseThrow().description()).isEqualTo("PCI-MSI 327680-edge");
  }

  @Test
  void countsByTheCpusOfTheColumns() {
    InterruptTable table = table(TABLE);
    assertThat(table.cpus()).hasToString("0,3");
    Interrupt mlx4 = table.numbered(64).orElseThrow();
    assertThat(mlx4.countByCpu()).containsEntry(0, 7L).containsEntry(3, 900L).hasSize(2);
    assertThat(mlx4.total()).isEqualTo(907);
    assertThat(mlx4.number()).hasValue(64);
  }

  @Test
  void keepsRowsThatHaveANameOrOneCount() {
    InterruptTable table = table(TABLE);
    Interrupt local = row(table, "LOC");
    assertThat(local.number()).isEmpty();
    assertThat(local.devices()).isEmpty();
    assertThat(local.description()).isEqualTo("Local timer interrupts");
    assertThat(local.total()).isEqualTo(3150);
    assertThat(row(table, "ERR").countByCpu()).containsExactly(Map.entry(0, 4L));
    assertThat(row(table, "ERR").description()).isEmpty();
  }

  @Test
  void readsTablesOfManyCpus() {
    int cpus = 512;
    String header =
        IntStream.range(0, cpus).mapToObj(i -> "CPU" + i).collect(Collectors.joining("       "));
    String counts =
        IntStream.range(0, cpus).mapToObj(i -> "4294967295").collect(Collectors.joining(" "));
    InterruptTable table =
        table("      " + header + "\n 7: " + counts + "  PCI-MSI 7-edge      eth0\n");
    assertThat(table.numbered(7).orElseThrow().total()).isEqualTo(512 * 4294967295L);
    assertThat(table.numbered(7).orElseThrow().devices()).containsExactly("eth0");
  }

  @Test
  void readsTheRunningKernel() {
    assumeTrue(Files.isReadable(Path.of("/proc/interrupts")), "no procfs");
    InterruptTable table = InterruptTable.read(HostFiles.ofThisHost());
    assertThat(table.cpus()).isEqualTo(CpuSet.online(HostFiles.ofThisHost()));
    assertThat(table.interrupts()).isNotEmpty();
  }

  private static Interrupt row(InterruptTable table, String label) {
    return table.interrupts().stream()
        .filter(interrupt -> interrupt.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  private InterruptTable table(String text) {
    return InterruptTable.read(new FixtureHost(root).with("/proc/interrupts", text).files());
  }
}
