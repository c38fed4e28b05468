// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.linux.FileDescriptor;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.bcc.HandOver.Failure;
import io.bhlat.trace.bcc.HandOver.HeldProbe;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Programs and maps that the process image before this one compiled and attached. libbcc is not
 * even loaded. Closing closes the maps; programs and links are whose they are attached by.
 */
final class InheritedPrograms implements Programs, AutoCloseable {

  private static final String REMEDY = "start bhlat again";

  private final Map<String, FileDescriptor> maps = new TreeMap<>();
  private final Map<Probe, HeldProbe> probes;

  InheritedPrograms(HandOver handOver) {
    handOver.maps().forEach((name, number) -> maps.put(name, new FileDescriptor(number)));
    this.probes =
        handOver.probes().stream().collect(Collectors.toMap(HeldProbe::probe, Function.identity()));
  }

  @Override
  public Attached attach(Probe probe) throws BpfException {
    HeldProbe held = probes.get(probe);
    if (held == null) {
      throw new BpfException(
          BpfException.Kind.FAILED, "take over " + probe, "it was not tried before", REMEDY);
    }
    if (held.failure().isPresent()) {
      Failure failure = held.failure().get();
      throw BpfException.ofEarlier(failure.kind(), failure.message());
    }
    FileDescriptor program = new FileDescriptor(held.program());
    Map<Long, FileDescriptor> links = new TreeMap<>();
    held.links().forEach((of, number) -> links.put(of, new FileDescriptor(number)));
    if (probe.isOfCallbacks()) {
      boolean atReturn = probe.kind() == ProbeKind.KRETPROBE;
      return new Attached(program, FunctionLinks.inherited(program, atReturn, links));
    }
    FileDescriptor link = links.get(Link.ONLY);
    if (link == null) {
      throw new BpfException(
          BpfException.Kind.FAILED, "take over " + probe, "it has no link", REMEDY);
    }
    return new Attached(program, Link.of(link));
  }

  @Override
  public BccMap map(String name, int keyBytes, int valueBytes) throws BpfException {
    FileDescriptor descriptor = maps.get(name);
    if (descriptor == null) {
      throw new BpfException(
          BpfException.Kind.FAILED, "take over map " + name, "it was not made before", REMEDY);
    }
    return BccMap.of(name, descriptor.number(), keyBytes, valueBytes);
  }

  @Override
  public void close() {
    maps.values().forEach(FileDescriptor::close);
  }
}
