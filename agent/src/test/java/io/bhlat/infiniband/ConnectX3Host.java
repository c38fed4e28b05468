// SPDX-License-Identifier: Apache-2.0
package io.bhlat.infiniband;

import io.bhlat.kernel.FixtureHost;
import io.bhlat.kernel.HostFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A tree of files with a ConnectX-3, as sysfs and procfs show it at 40 Gb/s. */
public final class ConnectX3Host {
  static final String PCI = "/sys/devices/pci0000:00/0000:00:03.0/0000:08:00.0";

  /** Where the adapter's own files are. */
  public static final String SYSFS = PCI + "/infiniband/mlx4_0";

  private static final String GID = "fe80:0000:0000:0000:0010:e000:0178:9eb1";
  private static final String ZERO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";

  private ConnectX3Host() {}

  /** A host below an empty directory. */
  public static FixtureHost in(Path root) {
    return on(new FixtureHost(root));
  }

  /** Takes the adapter out, as hot unplugging does. */
  public static void remove(HostFiles host) {
    try {
      Files.delete(host.path("/sys/class/infiniband/mlx4_0"));
      try (Stream<Path> files = Files.walk(host.path(PCI))) {
        List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        for (Path file : deepestFirst) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As sysfs has it: the class directory and "device" are links into the tree of buses. */
  public static FixtureHost on(FixtureHost host) {
    host.withLink(
            "/sys/class/infiniband/mlx4_0",
            "../../devices/pci0000:00/0000:00:03.0/0000:08:00.0/infiniband/mlx4_0")
        .withLink(SYSFS + "/device", "../../../0000:08:00.0");
    file(host, SYSFS + "/hca_type", "MT4099\n");
    file(host, SYSFS + "/fw_ver", "2.42.5000\n");
    file(host, SYSFS + "/board_id", "MT_1090120019\n");
    file(host, SYSFS + "/node_guid", "0010:e000:0178:9eb0\n");
    file(host, PCI + "/numa_node", "0\n");
    host.withDirectory(PCI + "/net/ib0");
    for (int interrupt : new int[] {100, 65, 64}) {
      file(host, PCI + "/msi_irqs/" + interrupt, "msix\n");
    }
    port(host, 1, "4: ACTIVE", "5: LinkUp");
    return host;
  }

  /** Adds a port, or changes it. */
  public static void port(FixtureHost host, int number, String state, String physState) {
    String base = SYSFS + "/ports/" + number;
    file(host, base + "/state", state + "\n");
    file(host, base + "/phys_state", physState + "\n");
    file(host, base + "/rate", "40 Gb/sec (4X QDR)\n");
    file(host, base + "/link_layer", "InfiniBand\n");
    file(host, base + "/lid", "0x6\n");
    file(host, base + "/sm_lid", "0x1\n");
    file(host, base + "/gids/0", GID + "\n");
    file(host, base + "/gids/1", ZERO_GID + "\n");
  }

  /** A file, unless a test has put a directory in its place. */
  private static void file(FixtureHost host, String path, String text) {
    if (!host.files().isDirectory(path)) {
      host.with(path, text);
    }
  }
}
