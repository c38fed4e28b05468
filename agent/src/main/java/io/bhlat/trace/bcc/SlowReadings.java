// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.HostFiles;
import io.bhlat.linux.FileDescriptor;
import io.bhlat.model.LossCounts;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.HostView;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbePlan;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What files of /proc and /sys tell for a snapshot. Reading them takes longer than all the rest, so
 * that it is done only now and then where snapshots are frequent. Not thread-safe.
 */
final class SlowReadings {

  private static final long INTERVAL_NS = Duration.ofSeconds(10).toNanos();

  private final HostView host;
  private final Supplier<Map<Probe, FileDescriptor>> programs;
  private final ProgramReader reader;
  private CpuSet online = CpuSet.of();
  private Optional<Long> readAtNs = Optional.empty();

  /**
   * Reads nothing yet.
   *
   * @param programs those that are attached
   */
  SlowReadings(HostView host, Supplier<Map<Probe, FileDescriptor>> programs) {
    this.host = host;
    this.programs = programs;
    this.reader = new ProgramReader(HostFiles.ofThisHost(), host.readErrors());
  }

  /** The next {@link #readIfDue} reads. */
  void makeDue() {
    readAtNs = Optional.empty();
  }

  /**
   * Reads if ten seconds have passed since the last time.
   *
   * @return whether it did
   */
  boolean readIfDue(long nowNs) {
    if (readAtNs.filter(at -> nowNs - at < INTERVAL_NS).isPresent()) {
      return false;
    }
    readAtNs = Optional.of(nowNs);
    online = host.onlineCpus();
    readPrograms();
    return true;
  }

  /** Reads what the kernel tells of the programs. */
  void readPrograms() {
    reader.read(programs.get());
  }

  /** The CPUs that were online. */
  CpuSet online() {
    return online;
  }

  /** How often programs were skipped, as of then. */
  Map<WorkClass, LossCounts> skipped(ProbePlan plan) {
    return reader.skipsByClass(plan);
  }

  /** What programs cost, as of then. */
  NavigableMap<String, ProgramRuns> runs() {
    return reader.runs();
  }
}
