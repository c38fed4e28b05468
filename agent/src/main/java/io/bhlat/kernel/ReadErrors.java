// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of the host that could not be read by what goes on without them: each failure is counted,
 * and logged when it begins, when its reason changes and when it ends. Thread-safe.
 */
public final class ReadErrors {

  private static final Logger log = LoggerFactory.getLogger(ReadErrors.class);

  /** An adapter has hundreds of files that may fail all at once. */
  private static final int MAX_LINES = 10;

  private final Map<Kind, Set<String>> lasting = new EnumMap<>(Kind.class);
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

  /** What files tell of. */
  public enum Kind {
    /** Which CPUs are online. */
    CPUS("cpus"),
    /** Which device has which interrupt. */
    INTERRUPTS("interrupts"),
    /** Which CPU an interrupt goes to. */
    AFFINITY("affinity"),
    /** Adapters and their ports. */
    INFINIBAND("infiniband"),
    /** What the kernel says of our own programs. */
    PROGRAMS("programs");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The value of the {@code files} label. */
    public String label() {
      return label;
    }
  }

  /** Nothing failed so far. */
  public ReadErrors() {
    for (Kind kind : Kind.values()) {
      lasting.put(kind, Set.of());
      counts.put(kind, 0L);
    }
  }

  /**
   * Tells how the files of a kind were read, all of them once.
   *
   * @param problems "read FILE: reason" for each that could not be; none if all were read
   */
  public synchronized void afterReading(Kind kind, Collection<String> problems) {
    Set<String> before = lasting.getOrDefault(kind, Set.of());
    if (problems.isEmpty() && before.isEmpty()) {
      return;
    }
    counts.merge(kind, (long) problems.size(), Long::sum);
    Set<String> now = new LinkedHashSet<>(problems);
    List<String> begun = now.stream().filter(problem -> !before.contains(problem)).toList();
    begun.stream()
        .limit(MAX_LINES)
        .forEach(problem -> log.warn("{}; going on without it", problem));
    if (begun.size() > MAX_LINES) {
      log.warn("{} more files of {} cannot be read", begun.size() - MAX_LINES, kind.label());
    }
    if (now.isEmpty()) {
      log.info("all files of {} are read again, or gone", kind.label());
    }
    lasting.put(kind, now);
  }

  /** How many readings of files of a kind failed. */
  public synchronized long count(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }
}
