// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.trace.Probe;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The programs of one source in the kernel, and what became of the attempt to attach each. A
 * failure is kept, and never stops the others. Not thread-safe.
 */
final class Attachments implements AutoCloseable {

  private record Attached(FileDescriptor program, FileDescriptor link) {}

  private final Map<Probe, Attached> attached = new LinkedHashMap<>();
  private final Map<Probe, BpfException> failures = new LinkedHashMap<>();

  /** Loads and attaches the programs of these probes, in this order. */
  static Attachments attach(BccModule module, List<Probe> probes) {
    Attachments attachments = new Attachments();
    for (Probe probe : probes) {
      attachments.attach(module, probe);
    }
    return attachments;
  }

  private void attach(BccModule module, Probe probe) {
    try {
      FileDescriptor program = module.loadRawTracepoint(probe.program());
      try {
        attached.put(
            probe, new Attached(program, BccModule.attachRawTracepoint(program, probe.target())));
      } catch (BpfException e) {
        program.close();
        throw e;
      }
    } catch (BpfException e) {
      failures.put(probe, e);
    }
  }

  /** Why a probe is not attached; empty if it is. */
  Optional<BpfException> failureOf(Probe probe) {
    return Optional.ofNullable(failures.get(probe));
  }

  /** All failures. */
  Collection<BpfException> failures() {
    return Collections.unmodifiableCollection(failures.values());
  }

  /** Whether nothing is attached. */
  boolean isEmpty() {
    return attached.isEmpty();
  }

  /** Detaches these probes. */
  void detach(Collection<Probe> probes) {
    for (Probe probe : probes) {
      Attached gone = attached.remove(probe);
      if (gone != null) {
        gone.link.close();
        gone.program.close();
      }
    }
  }

  /** Detaches all, last attached first: nothing is queued any more when starts are not seen. */
  @Override
  public void close() {
    List<Probe> probes = new ArrayList<>(attached.keySet());
    Collections.reverse(probes);
    detach(probes);
  }
}
