// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.linux.FileDescriptor;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;

/** Programs that libbcc compiled, loaded and attached by it. */
final class CompiledPrograms implements Programs {

  private final BccModule module;

  /** Programs and maps of a module, which the caller closes later. */
  CompiledPrograms(BccModule module) {
    this.module = module;
  }

  @Override
  public Attached attach(Probe probe) throws BpfException {
    FileDescriptor program = module.load(probe.kind(), probe.program(), nameOf(probe));
    try {
      return new Attached(program, link(probe, program));
    } catch (BpfException e) {
      program.close();
      throw e;
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

  @Override
  public BccMap map(String name, int keyBytes, int valueBytes) throws BpfException {
    return module.map(name, keyBytes, valueBytes);
  }
}
