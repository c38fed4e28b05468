// SPDX-License-Identifier: Apache-2.0
package io.bhlat.infiniband;

import io.bhlat.kernel.HostFiles;
import java.util.List;

/**
 * All adapters of a host, as sysfs shows them at one time.
 *
 * @param adapters by name; none on a host without InfiniBand
 * @param problems what could not be read: "read /sys/…: reason"; the rest is in the adapters
 *     nevertheless
 */
public record Adapters(List<Adapter> adapters, List<String> problems) {

  /** Copies the lists. */
  public Adapters {
    adapters = List.copyOf(adapters);
    problems = List.copyOf(problems);
  }

  /**
   * Reads /sys/class/infiniband below the host's root; never throws for a file. An adapter that is
   * removed meanwhile is left out.
   */
  public static Adapters read(HostFiles host) {
    return new AdapterReader(host, true).read();
  }

  /** The same without the gids, of which a port may have hundreds, each in a file of its own. */
  public static Adapters readWithoutGids(HostFiles host) {
    return new AdapterReader(host, false).read();
  }
}
