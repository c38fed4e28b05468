// SPDX-License-Identifier: Apache-2.0
package io.bhlat.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.kernel.FixtureHost;
import io.bhlat.kernel.HostFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdaptersTest {
  private static final String PCI = ConnectX3Host.PCI;
  private static final String MLX4 = ConnectX3Host.SYSFS;
  private static final String PORT = MLX4 + "/ports/1";
  private static final String GID = "fe80:0000:0000:0000:0010:e000:0178:9eb1";

  @TempDir Path root;

  @Test
  void describesAConnectX3() {
    Adapters read = Adapters.read(connectX3().files());
    assertThat(read.problems()).isEmpty();
    Adapter adapter = read.adapters().get(0);
    assertThat(read.adapters()).hasSize(1);
    assertThat(adapter.name()).isEqualTo("mlx4_0");
    assertThat(adapter.hcaType()).hasValue("MT4099");
    assertThat(adapter.firmware()).hasValue("2.42.5000");
    assertThat(adapter.boardId()).hasValue("MT_1090120019");
    assertThat(adapter.nodeGuid()).hasValue("0010:e000:0178:9eb0");
    assertThat(adapter.numaNode()).hasValue(0);
    assertThat(adapter.pciAddress()).hasValue("0000:08:00.0");
    assertThat(adapter.netDevices()).containsExactly("ib0");
    assertThat(adapter.interrupts()).containsExactly(64, 65, 100);
  }

  @Test
  void describesThePort() {
    assertThat(Adapters.read(connectX3().files()).adapters().get(0).ports())
        .singleElement()
        .satisfies(
            port -> {
              assertThat(port.number()).isEqualTo(1);
              assertThat(port.state()).hasValue(new CodedState(4, "ACTIVE"));
              assertThat(port.physState()).hasValue(new CodedState(5, "LinkUp"));
              assertThat(port.rate()).hasValue("40 Gb/sec (4X QDR)");
              assertThat(port.linkLayer()).hasValue("InfiniBand");
              assertThat(port.lid()).hasValue(6);
              assertThat(port.smLid()).hasValue(1);
              assertThat(port.gids()).containsExactly(GID);
            });
  }

  @Test
  void describesBothPortsOfADualPortAdapter() {
    FixtureHost host = connectX3();
    port(host, 2, "1: DOWN", "2: Polling");
    List<Port> ports = Adapters.read(host.files()).adapters().get(0).ports();
    assertThat(ports).extracting(Port::number).containsExactly(1, 2);
    assertThat(ports.get(1).state()).hasValue(new CodedState(1, "DOWN"));
    assertThat(ports.get(1).physState()).hasValue(new CodedState(2, "Polling"));
  }

  @Test
  void findsNoAdapterOnAnOrdinaryHost() {
    assertThat(Adapters.read(new HostFiles(root))).isEqualTo(new Adapters(List.of(), List.of()));
    HostFiles loaded = new FixtureHost(root).withDirectory("/sys/class/infiniband").files();
    assertThat(Adapters.read(loaded)).isEqualTo(new Adapters(List.of(), List.of()));
  }

  @Test
  void losesOnlyTheFilesThatCannotBeRead() {
    FixtureHost host = new FixtureHost(root);
    host.withDirectory(MLX4 + "/fw_ver").withDirectory(MLX4 + "/ports/1/lid");
    Adapters read = Adapters.read(connectX3(host).files());
    assertThat(read.problems())
        .containsExactly(
            "read " + root + "/sys/class/infiniband/mlx4_0/fw_ver: Is a directory",
            "read " + root + "/sys/class/infiniband/mlx4_0/ports/1/lid: Is a directory");
    Adapter adapter = read.adapters().get(0);
    assertThat(adapter.firmware()).isEmpty();
    assertThat(adapter.boardId()).hasValue("MT_1090120019");
    assertThat(adapter.ports().get(0).lid()).isEmpty();
    assertThat(adapter.ports().get(0).smLid()).hasValue(1);
  }

  @Test
  void reportsTextOfAnotherForm() {
    FixtureHost host = connectX3();
    host.with(MLX4 + "/ports/1/state", "ACTIVE\n").with(MLX4 + "/ports/1/lid", "six\n");
    Adapters read = Adapters.read(host.files());
    assertThat(read.problems())
        .hasSize(2)
        .anySatisfy(problem -> assertThat(problem).endsWith("state: unexpected text \"ACTIVE\""))
        .anySatisfy(problem -> assertThat(problem).endsWith("lid: unexpected text \"six\""));
    assertThat(read.adapters().get(0).ports().get(0).state()).isEmpty();
  }

  @Test
  void leavesOutWhatASoftwareAdapterDoesNotHave() {
    HostFiles host =
        new FixtureHost(root)
            .with("/sys/class/infiniband/rxe0/node_guid", "5054:00ff:fe12:3456\n")
            .with("/sys/class/infiniband/rxe0/ports/1/link_layer", "Ethernet\n")
            .files();
    Adapters read = Adapters.read(host);
    assertThat(read.problems()).isEmpty();
    Adapter adapter = read.adapters().get(0);
    assertThat(adapter.pciAddress()).isEmpty();
    assertThat(adapter.numaNode()).isEmpty();
    assertThat(adapter.interrupts()).isEmpty();
    assertThat(adapter.ports().get(0).linkLayer()).hasValue("Ethernet");
    assertThat(adapter.ports().get(0).rate()).isEmpty();
  }

  @Test
  void takesTheKernelsMinusOneForNoNode() {
    FixtureHost host = connectX3().with(PCI + "/numa_node", "-1\n");
    assertThat(Adapters.read(host.files()).adapters().get(0).numaNode()).isEmpty();
  }

  @Test
  void leavesOutAnAdapterThatIsRemovedWhileItIsRead() throws Exception {
    HostFiles host = ConnectX3Host.in(root).files();
    Path firmware = host.path(ConnectX3Host.SYSFS + "/fw_ver");
    Files.delete(firmware);
    assertThat(new ProcessBuilder("mkfifo", firmware.toString()).start().waitFor()).isZero();
    Thread removal =
        new Thread(
            () -> {
              try (OutputStream reader = Files.newOutputStream(firmware)) { // waits for the reader
                ConnectX3Host.remove(host);
                reader.write('2');
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    removal.start();

    assertThat(Adapters.read(host)).isEqualTo(new Adapters(List.of(), List.of()));
    removal.join();
  }

  @Test
  void keepsTheOtherAdapterWhenTheLinkOfOneLeadsNowhere() {
    FixtureHost host = ConnectX3Host.in(root);
    host.withLink("/sys/class/infiniband/mlx4_1", "../../devices/gone/infiniband/mlx4_1");

    Adapters read = Adapters.read(host.files());
    assertThat(read.adapters()).extracting(Adapter::name).containsExactly("mlx4_0");
    assertThat(read.problems()).isEmpty();
  }

  /** Address 0 of a process is not mapped: reading it is EIO. */
  @Test
  void losesOnlyTheFileWhoseReadingFailsWithEio() throws IOException {
    FixtureHost host = ConnectX3Host.in(root);
    Files.delete(host.files().path(PORT + "/rate"));
    host.withLink(PORT + "/rate", "/proc/self/mem");

    Adapters read = Adapters.read(host.files());
    assertThat(read.problems())
        .containsExactly(
            "read " + root + "/sys/class/infiniband/mlx4_0/ports/1/rate: Input/output error");
    assertThat(read.adapters().get(0).ports().get(0).rate()).isEmpty();
    assertThat(read.adapters().get(0).ports().get(0).lid()).hasValue(6);
  }

  @Test
  void tellsTheRateInBytesPerSecond() {
    assertThat(connectX3Port().rateBytesPerSecond()).hasValue(5e9);
  }

  @Test
  void readsNoGidsWhereTheyAreNotWanted() {
    Adapters read = Adapters.readWithoutGids(ConnectX3Host.in(root).files());
    assertThat(read.adapters().get(0).ports().get(0).gids()).isEmpty();
    assertThat(read.adapters().get(0).ports().get(0).lid()).hasValue(6);
  }

  private Port connectX3Port() {
    return Adapters.read(ConnectX3Host.in(root).files()).adapters().get(0).ports().get(0);
  }

  private FixtureHost connectX3() {
    return ConnectX3Host.in(root);
  }

  private static FixtureHost connectX3(FixtureHost host) {
    return ConnectX3Host.on(host);
  }

  private static void port(FixtureHost host, int number, String state, String physState) {
    ConnectX3Host.port(host, number, state, physState);
  }
}
