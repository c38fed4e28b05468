// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.infiniband.Adapter;
import io.bhlat.infiniband.Adapters;
import io.bhlat.infiniband.CodedState;
import io.bhlat.infiniband.Port;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A host with one ConnectX-3 of which everything can be read. */
final class ConnectX3 {

  private ConnectX3() {}

  static Adapters adapters() {
    Port port =
        new Port(
            1,
            Optional.of(new CodedState(4, "ACTIVE")),
            Optional.of(new CodedState(5, "LinkUp")),
            Optional.of("40 Gb/sec (4X QDR)"),
            Optional.of("InfiniBand"),
            OptionalInt.of(6),
            OptionalInt.of(1),
            List.of("fe80:0000:0000:0000:0010:e000:0178:9eb1"));
    return new Adapters(
        List.of(
            new Adapter(
                "mlx4_0",
                Optional.of("MT4099"),
                Optional.of("2.42.5000"),
                Optional.of("MT_1090120019"),
                Optional.of("0010:e000:0178:9eb0"),
                OptionalInt.of(0),
                Optional.of("0000:08:00.0"),
                List.of("ib0"),
                List.of(64, 65, 100),
                List.of(port))),
        List.of());
  }
}
