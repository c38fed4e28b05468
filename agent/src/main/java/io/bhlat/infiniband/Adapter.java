// SPDX-License-Identifier: Apache-2.0
package io.bhlat.infiniband;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One InfiniBand or RoCE adapter. What could not be read or does not exist is empty: software
 * adapters have no PCI device and no interrupts.
 *
 * @param name of the RDMA device, "mlx4_0"
 * @param hcaType model, "MT4099"
 * @param firmware version of the firmware
 * @param boardId identifier of the board and its firmware configuration, "MT_1090120019"
 * @param nodeGuid "0010:e000:0178:9eb0"
 * @param numaNode memory node that the device is nearest to; empty where the host has only one
 * @param pciAddress "0000:08:00.0"
 * @param netDevices network devices of the same PCI device, "ib0"
 * @param interrupts numbers of its message-signalled interrupts, as in /proc/interrupts
 * @param ports by number
 */
public record Adapter(
    String name,
    Optional<String> hcaType,
    Optional<String> firmware,
    Optional<String> boardId,
    Optional<String> nodeGuid,
    OptionalInt numaNode,
    Optional<String> pciAddress,
    List<String> netDevices,
    List<Integer> interrupts,
    List<Port> ports) {

  /** Copies the lists. */
  public Adapter {
    netDevices = List.copyOf(netDevices);
    interrupts = List.copyOf(interrupts);
    ports = List.copyOf(ports);
  }
}
