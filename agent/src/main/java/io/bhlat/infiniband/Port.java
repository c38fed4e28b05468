// SPDX-License-Identifier: Apache-2.0
package io.bhlat.infiniband;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final int ACTIVE = 4;
  private static final Pattern RATE = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?) Gb/sec");
  private static final double GIGA = 1e9;

  /** Copies the list. */
  public Port {
    gids = List.copyOf(gids);
  }

  /** Whether the logical state is ACTIVE; empty if the state is not known. */
  public Optional<Boolean> isActive() {
    return state.map(known -> known.code() == ACTIVE);
  }

  /** The rate in bytes per second; empty if it is not known or has another form. */
  public OptionalDouble rateBytesPerSecond() {
    Matcher matcher = RATE.matcher(rate.orElse(""));
    return matcher.lookingAt()
        ? OptionalDouble.of(Double.parseDouble(matcher.group(1)) * GIGA / Byte.SIZE)
        : OptionalDouble.empty();
  }
}
