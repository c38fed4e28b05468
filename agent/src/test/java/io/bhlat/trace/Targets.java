// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.LayoutField;
import io.bhlat.model.FastPoolMechanism;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Kernels to plan for. */
public final class Targets {

  static final String NO_LAYOUT = "no BTF; install the kernel's headers";

  private Targets() {}

  /** Two CPUs, every offset known, a mixing that can be recognised. */
  public static TraceTarget of(FastPoolMechanism mechanism) {
    return of(mechanism, Optional.of(layoutWithout()), "");
  }

  /** The same without offsets. */
  public static TraceTarget withoutLayout(FastPoolMechanism mechanism) {
    return of(mechanism, Optional.empty(), "");
  }

  /** The same without some offsets. */
  public static TraceTarget lacking(LayoutField... fields) {
    return of(FastPoolMechanism.TIMER, Optional.of(layoutWithout(fields)), "");
  }

  /** The same with a mixing that cannot be recognised. */
  public static TraceTarget withMixProblem(String problem) {
    return of(FastPoolMechanism.UNKNOWN, Optional.of(layoutWithout()), problem);
  }

  private static TraceTarget of(
      FastPoolMechanism mechanism, Optional<KernelLayout> layout, String mixProblem) {
    boolean isMixKnown = mixProblem.isEmpty() && mechanism != FastPoolMechanism.INLINE;
    return new TraceTarget(
        CpuSet.of(0, 1),
        false,
        layout,
        layout.isPresent() ? "" : NO_LAYOUT,
        mechanism,
        isMixKnown ? OptionalLong.of(0xffffffff81000010L) : OptionalLong.empty(),
        mixProblem,
        OptionalLong.of(0xffffffff81000020L),
        OptionalInt.of(2));
  }

  private static KernelLayout layoutWithout(LayoutField... missing) {
    Map<LayoutField, Integer> bytes = new EnumMap<>(LayoutField.class);
    for (LayoutField field : LayoutField.values()) {
      bytes.put(field, 8 * (field.ordinal() + 1));
    }
    for (LayoutField field : missing) {
      bytes.remove(field);
    }
    return new KernelLayout(KernelLayout.Source.BTF, bytes);
  }
}
