// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
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

  private record Attached(FileDescriptor program, Link link) {}

  private final BccModule module;
  private final Map<Probe, Attached> attached = new LinkedHashMap<>();
  private final Map<Probe, BpfException> failures = new LinkedHashMap<>();

  /** Nothing attached yet; the module's programs are those that can be. */
  Attachments(BccModule module) {
    this.module = module;
  }

  @Override
  public Optional<String> attach(Probe probe) {
    try {
      FileDescriptor program = module.load(probe.kind(), probe.program(), nameOf(probe));
      try {
        attached.put(probe, new Attached(program, link(probe, program)));
      } catch (BpfException e) {
        program.close();
        throw e;
      }
      return Optional.empty();
    } catch (BpfException e) {
      failures.put(probe, e);
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** libbcc takes the function to attach to from the name of such a program. */
  private static String nameOf(Probe probe) {
    return switch (probe.kind()) {
      case FENTRY -> "kfunc__" + probe.target();
      case FEXIT -> "kretfunc__" + probe.target();
      case RAW_TRACEPOINT, KPROBE, KRETPROBE -> probe.program();
    };
  }

  private static Link link(Probe probe, FileDescriptor program) throws BpfException {
    return probe.isOfCallbacks()
        ? FunctionLinks.of(program, probe.kind() == ProbeKind.KRETPROBE)
        : Link.attach(probe.kind(), program, probe.target());
  }

  /** What attaches to functions as they are found: starts and, where there is one, ends. */
  List<FunctionLinks> functionLinks() {
    return attached.values().stream()
        .map(Attached::link)
        .filter(FunctionLinks.class::isInstance)
        .map(FunctionLinks.class::cast)
        .toList();
  }

  @Override
  public void detach(Probe probe) {
    Attached gone = attached.remove(probe);
    if (gone != null) {
      gone.link.close();
      gone.program.close();
    }
  }

  /** Why a probe could not be attached; empty if it could or was not tried. */
  Optional<BpfException> failureOf(Probe probe) {
    return Optional.ofNullable(failures.get(probe));
  }

  /** The descriptors of the programs that are attached. */
  Map<Probe, FileDescriptor> programs() {
    Map<Probe, FileDescriptor> programs = new LinkedHashMap<>();
    attached.forEach((probe, of) -> programs.put(probe, of.program));
    return programs;
  }

  /** Detaches all, last attached first: nothing is queued any more when starts are not seen. */
  @Override
  public void close() {
    List<Probe> probes = new ArrayList<>(attached.keySet());
    Collections.reverse(probes);
    probes.forEach(this::detach);
  }
}
