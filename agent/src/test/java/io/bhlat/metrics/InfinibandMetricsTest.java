// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.infiniband.ConnectX3Host;
import io.bhlat.kernel.FixtureHost;
import io.bhlat.kernel.ReadErrors;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfinibandMetricsTest {

  private static final String PORT_1 = "{adapter=\"mlx4_0\",port=\"1\"}";
  private static final Map<Integer, String> DEVICES =
      Map.of(64, "mlx4-1@0000:08:00.0", 65, "mlx4-2@0000:08:00.0");

  @TempDir Path root;

  private final ReadErrors errors = new ReadErrors();
  private final AtomicLong nowNs = new AtomicLong();

  private InfinibandMetrics metrics(FixtureHost host) {
    return new InfinibandMetrics(
        host.files(), irq -> DEVICES.getOrDefault(irq, ""), errors, nowNs::get);
  }

  private List<String> lines(InfinibandMetrics metrics) throws IOException {
    nowNs.addAndGet(InfinibandMetrics.MAX_AGE.toNanos());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, metrics.collect());
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  private FixtureHost withAffinities(FixtureHost host) {
    return host.with("/proc/irq/64/effective_affinity_list", "3\n")
        .with("/proc/irq/65/effective_affinity_list", "0,2\n")
        .with("/proc/irq/100/effective_affinity_list", "0-255\n");
  }

  @Test
  void describesAConnectX3() throws IOException {
    FixtureHost host = withAffinities(ConnectX3Host.in(root));

    assertThat(lines(metrics(host)))
        .containsExactlyInAnyOrder(
            "bhlat_infiniband_port_info{adapter=\"mlx4_0\",board=\"MT_1090120019\","
                + "firmware=\"2.42.5000\",link_layer=\"InfiniBand\",model=\"MT4099\","
                + "net_devices=\"ib0\",numa_node=\"0\",pci_address=\"0000:08:00.0\",port=\"1\"} 1",
            "bhlat_infiniband_port_up" + PORT_1 + " 1.0",
            "bhlat_infiniband_port_state" + PORT_1 + " 4.0",
            "bhlat_infiniband_port_physical_state" + PORT_1 + " 5.0",
            "bhlat_infiniband_port_rate_bytes_per_second" + PORT_1 + " 5.0E9",
            "bhlat_infiniband_interrupt_info"
                + "{adapter=\"mlx4_0\",device=\"mlx4-1@0000:08:00.0\",irq=\"64\"} 1",
            "bhlat_infiniband_interrupt_info"
                + "{adapter=\"mlx4_0\",device=\"mlx4-2@0000:08:00.0\",irq=\"65\"} 1",
            "bhlat_infiniband_interrupt_info{adapter=\"mlx4_0\",device=\"\",irq=\"100\"} 1",
            "bhlat_infiniband_interrupt_affinity{adapter=\"mlx4_0\",cpu=\"3\",irq=\"64\"} 1.0",
            "bhlat_infiniband_interrupt_affinity{adapter=\"mlx4_0\",cpu=\"0\",irq=\"65\"} 1.0",
            "bhlat_infiniband_interrupt_affinity{adapter=\"mlx4_0\",cpu=\"2\",irq=\"65\"} 1.0");
    assertThat(errors.count(ReadErrors.Kind.INFINIBAND)).isZero();
    assertThat(errors.count(ReadErrors.Kind.AFFINITY)).isZero();
  }

  @Test
  void tellsThePortsOfADualPortAdapterApart() throws IOException {
    FixtureHost host = ConnectX3Host.in(root);
    ConnectX3Host.port(host, 2, "1: DOWN", "2: Polling");

    assertThat(lines(metrics(host)))
        .contains(
            "bhlat_infiniband_port_up" + PORT_1 + " 1.0",
            "bhlat_infiniband_port_up{adapter=\"mlx4_0\",port=\"2\"} 0.0",
            "bhlat_infiniband_port_state{adapter=\"mlx4_0\",port=\"2\"} 1.0",
            "bhlat_infiniband_port_physical_state{adapter=\"mlx4_0\",port=\"2\"} 2.0");
  }

  @Test
  void saysNothingOnAHostWithoutAdapters() {
    assertThat(metrics(new FixtureHost(root)).collect().size()).isZero();
  }

  @Test
  void followsAPortAndAnAdapterThatIsRemovedAndComesBack() throws IOException {
    FixtureHost host = ConnectX3Host.in(root);
    InfinibandMetrics metrics = metrics(host);
    assertThat(lines(metrics)).contains("bhlat_infiniband_port_up" + PORT_1 + " 1.0");

    ConnectX3Host.port(host, 1, "2: INIT", "5: LinkUp");
    assertThat(lines(metrics)).contains("bhlat_infiniband_port_up" + PORT_1 + " 0.0");

    ConnectX3Host.remove(host.files());
    assertThat(lines(metrics)).isEmpty();

    ConnectX3Host.on(host);
    assertThat(lines(metrics)).contains("bhlat_infiniband_port_up" + PORT_1 + " 1.0");
    assertThat(errors.count(ReadErrors.Kind.INFINIBAND)).isZero();
  }

  @Test
  void losesOnlyTheFilesThatCannotBeReadAndCountsEachReading() throws IOException {
    FixtureHost host = new FixtureHost(root).withDirectory(ConnectX3Host.SYSFS + "/fw_ver");
    host.withDirectory("/proc/irq/64/effective_affinity_list")
        .with("/proc/irq/65/effective_affinity_list", "0-\n")
        .with("/proc/irq/100/effective_affinity_list", "1\n");
    InfinibandMetrics metrics = metrics(ConnectX3Host.on(host));
    lines(metrics);

    assertThat(lines(metrics))
        .anyMatch(line -> line.contains("firmware=\"\",link_layer=\"InfiniBand\""))
        .contains(
            "bhlat_infiniband_interrupt_info"
                + "{adapter=\"mlx4_0\",device=\"mlx4-1@0000:08:00.0\",irq=\"64\"} 1",
            "bhlat_infiniband_interrupt_affinity{adapter=\"mlx4_0\",cpu=\"1\",irq=\"100\"} 1.0");
    assertThat(errors.count(ReadErrors.Kind.INFINIBAND)).isEqualTo(2);
    assertThat(errors.count(ReadErrors.Kind.AFFINITY)).isEqualTo(4);
  }

  @Test
  void readsOnceForScrapesThatComeAtOnce() throws IOException {
    FixtureHost host = ConnectX3Host.in(root);
    InfinibandMetrics metrics = metrics(host);
    lines(metrics);
    ConnectX3Host.remove(host.files());

    assertThat(metrics.collect().size()).isPositive();
    assertThat(lines(metrics)).isEmpty();
  }
}
