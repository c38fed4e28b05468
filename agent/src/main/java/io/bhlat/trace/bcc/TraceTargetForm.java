// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.LayoutField;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.trace.TraceTarget;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A {@link TraceTarget} as bytes, so that who takes probes over need not read the kernel's symbols
 * and types again, which takes tens of megabytes.
 */
final class TraceTargetForm {

  private TraceTargetForm() {}

  static void write(TraceTarget target, DataOutputStream out) throws IOException {
    out.writeUTF(target.possibleCpus().toString());
    out.writeBoolean(target.preemptRt());
    out.writeBoolean(target.layout().isPresent());
    if (target.layout().isPresent()) {
      write(target.layout().get(), out);
    }
    out.writeUTF(target.layoutProblem());
    out.writeUTF(target.mechanism().name());
    write(target.mixFunction(), out);
    out.writeUTF(target.mixProblem());
    write(target.flushBarrierFunction(), out);
    out.writeInt(target.executeEndArguments().orElse(-1));
  }

  private static void write(KernelLayout layout, DataOutputStream out) throws IOException {
    out.writeUTF(layout.source().name());
    out.writeInt(layout.bytes().size());
    for (Map.Entry<LayoutField, Integer> field : layout.bytes().entrySet()) {
      out.writeUTF(field.getKey().name());
      out.writeInt(field.getValue());
    }
  }

  private static void write(OptionalLong address, DataOutputStream out) throws IOException {
    out.writeBoolean(address.isPresent());
    out.writeLong(address.orElse(0));
  }

  /** Throws IllegalArgumentException for names that are none. */
  static TraceTarget read(DataInputStream in) throws IOException {
    CpuSet possibleCpus = CpuSet.parse(in.readUTF());
    boolean preemptRt = in.readBoolean();
    Optional<KernelLayout> layout =
        in.readBoolean() ? Optional.of(readLayout(in)) : Optional.empty();
    return new TraceTarget(
        possibleCpus,
        preemptRt,
        layout,
        in.readUTF(),
        FastPoolMechanism.valueOf(in.readUTF()),
        readAddress(in),
        in.readUTF(),
        readAddress(in),
        readArguments(in));
  }

  private static KernelLayout readLayout(DataInputStream in) throws IOException {
    KernelLayout.Source source = KernelLayout.Source.valueOf(in.readUTF());
    Map<LayoutField, Integer> bytes = new EnumMap<>(LayoutField.class);
    for (int left = in.readInt(); left > 0; left--) {
      bytes.put(LayoutField.valueOf(in.readUTF()), in.readInt());
    }
    return new KernelLayout(source, bytes);
  }

  private static OptionalLong readAddress(DataInputStream in) throws IOException {
    boolean present = in.readBoolean();
    long address = in.readLong();
    return present ? OptionalLong.of(address) : OptionalLong.empty();
  }

  private static OptionalInt readArguments(DataInputStream in) throws IOException {
    int arguments = in.readInt();
    return arguments < 0 ? OptionalInt.empty() : OptionalInt.of(arguments);
  }
}
