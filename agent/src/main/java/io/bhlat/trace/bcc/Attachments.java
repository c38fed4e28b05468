// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.linux.FileDescriptor;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbePlanner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The programs of one source in the kernel, and what became of the attempt to attach each. A
 * failure is kept, and never stops the others. Not thread-safe.
 */
final class Attachments implements ProbePlanner.Attacher, AutoCloseable {

  private final Programs source;
  private final Map<Probe, Programs.Attached> attached = new LinkedHashMap<>();
  private final Map<Probe, BpfException> failures = new LinkedHashMap<>();

  /** Nothing attached yet; these programs are those that can be. */
  Attachments(Programs source) {
    this.source = source;
  }

  @Override
  public Optional<String> attach(Probe probe) {
    try {
      attached.put(probe, source.attach(probe));
      return Optional.empty();
    } catch (BpfException e) {
      failures.put(probe, e);
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** What attaches to functions as they are found: starts and, where there is one, ends. */
  List<FunctionLinks> functionLinks() {
    return attached.values().stream()
        .map(Programs.Attached::link)
        .filter(FunctionLinks.class::isInstance)
        .map(FunctionLinks.class::cast)
        .toList();
  }

  @Override
  public void detach(Probe probe) {
    Programs.Attached gone = attached.remove(probe);
    if (gone != null) {
      gone.link().close();
      gone.program().close();
    }
  }

  /** Why a probe could not be attached; empty if it could or was not tried. */
  Optional<BpfException> failureOf(Probe probe) {
    return Optional.ofNullable(failures.get(probe));
  }

  /** The descriptors of the programs that are attached. */
  Map<Probe, FileDescriptor> programs() {
    Map<Probe, FileDescriptor> programs = new LinkedHashMap<>();
    attached.forEach((probe, of) -> programs.put(probe, of.program()));
    return programs;
  }

  /** What became of each attempt, in their order: attached, or why not. */
  List<HandOver.HeldProbe> held() {
    List<HandOver.HeldProbe> held = new ArrayList<>();
    failures.forEach((probe, failure) -> held.add(HandOver.HeldProbe.failed(probe, failure)));
    attached.forEach((probe, of) -> held.add(HandOver.HeldProbe.attached(probe, of)));
    return held;
  }

  /** Detaches all, last attached first: nothing is queued any more when starts are not seen. */
  @Override
  public void close() {
    List<Probe> probes = new ArrayList<>(attached.keySet());
    Collections.reverse(probes);
    probes.forEach(this::detach);
  }
}
