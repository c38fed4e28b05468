// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.List;
import java.util.Optional;

/**
 * Which tracepoints this kernel has, as far as that can be told without attaching to one. Only
 * advice: attaching is the truth.
 */
public final class Tracepoints {

  /** What is known of one tracepoint. */
  public enum Presence {
    PRESENT,
    /** The places that would name it name others, but not this one. */
    ABSENT,
    /** Nothing here names any tracepoint. */
    UNKNOWN
  }

  private static final List<String> TRACEFS =
      List.of("/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events");

  /** Every kernel with tracepoints has it, so a place that does not name it names none. */
  private static final String WITNESS = "sched_switch";

  private final HostFiles host;
  private final KernelSymbols symbols;
  private final Optional<Btf> btf;

  public Tracepoints(HostFiles host, KernelSymbols symbols, Optional<Btf> btf) {
    this.host = host;
    this.symbols = symbols;
    this.btf = btf;
  }

  /**
   * Looks for the tracepoint in BTF, tracefs and the symbols, in that order; one place is enough to
   * be present. A module's tracepoints are only there while it is loaded.
   *
   * @param name as raw tracepoints are named, without the group: "workqueue_queue_work"
   * @throws HostReadException if tracefs is mounted but cannot be read
   */
  public Presence presence(String name) {
    if (isInBtf(name) || isInTracefs(name) || isInSymbols(name)) {
      return Presence.PRESENT;
    }
    boolean isAnyNamed = isInBtf(WITNESS) || isInTracefs(WITNESS) || isInSymbols(WITNESS);
    return isAnyNamed ? Presence.ABSENT : Presence.UNKNOWN;
  }

  private boolean isInBtf(String name) {
    return btf.isPresent() && btf.get().tracepointArguments(name).isPresent();
  }

  private boolean isInTracefs(String name) {
    for (String events : TRACEFS) {
      for (String group : host.names(events)) {
        // Beside the groups there are files: enable, header_page and others.
        String directory = events + "/" + group;
        if (host.isDirectory(directory) && host.isDirectory(directory + "/" + name)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The first is data, listed with CONFIG_KALLSYMS_ALL only; the second is code, since 5.10. */
  private boolean isInSymbols(String name) {
    return symbols.contains("__tracepoint_" + name) || symbols.contains("__traceiter_" + name);
  }
}
