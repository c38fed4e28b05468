// SPDX-License-Identifier: Apache-2.0
package io.bhlat.infiniband;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One port of an adapter. What could not be read or does not exist is empty.
 *
 * @param number counts from 1
 * @param state logical state, "4: ACTIVE"
 * @param physState state of the link itself, "5: LinkUp"
 * @param rate as the kernel writes it, "40 Gb/sec (4X QDR)"
 * @param linkLayer "InfiniBand" or "Ethernet"
 * @param lid local identifier; 0 until a subnet manager gave one
 * @param smLid local identifier of the subnet manager
 * @param gids global identifiers that are in use; unused entries of the table are all zero
 */
public record Port(
    int number,
    Optional<CodedState> state,
    Optional<CodedState> physState,
    Optional<String> rate,
    Optional<String> linkLayer,
    OptionalInt lid,
    OptionalInt smLid,
    List<String> gids) {

  /** Copies the list. */
  public Port {
    gids = List.copyOf(gids);
  }
}
