// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.Btf;
import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.KernelLayouts;
import io.bhlat.kernel.KernelRelease;
import io.bhlat.kernel.KernelSymbol;
import io.bhlat.kernel.KernelSymbols;
import io.bhlat.kernel.LayoutField;
import io.bhlat.model.FastPoolMechanism;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Finds out what tracing must know of the kernel of a host. */
public final class TraceTargets {

  private static final String MIX_FUNCTION = "mix_interrupt_randomness";
  private static final String FLUSH_BARRIER_FUNCTION = "wq_barrier_func";

  private TraceTargets() {}

  /**
   * Looks at a host. Takes some tens of milliseconds.
   *
   * @param host its files
   * @param symbols its symbols
   * @param headerLayout what the host's own kernel headers say; only asked for when neither BTF nor
   *     the table of known layouts helps
   * @throws io.bhlat.kernel.HostReadException if a file exists but cannot be read
   */
  public static TraceTarget of(
      HostFiles host, KernelSymbols symbols, Supplier<Optional<KernelLayout>> headerLayout) {
    Optional<Btf> btf = Btf.ofKernel(host);
    KernelRelease release = KernelRelease.read(host);
    Optional<KernelLayout> layout =
        btf.map(KernelLayouts::fromBtf)
            .filter(TraceTargets::isUsable)
            .or(() -> KernelLayouts.known(release))
            .or(headerLayout);
    List<KernelSymbol> mix = symbols.find(MIX_FUNCTION);
    FastPoolMechanism mechanism = mechanism(btf, symbols, mix);
    OptionalLong mixFunction = onlyAddress(mix);
    return new TraceTarget(
        CpuSet.possible(host),
        release.isPreemptRt(),
        layout,
        layoutProblem(release),
        mechanism,
        mixFunction,
        mechanism == FastPoolMechanism.INLINE || mixFunction.isPresent()
            ? ""
            : mixProblem(symbols, mix),
        onlyAddress(symbols.find(FLUSH_BARRIER_FUNCTION)),
        btf.isPresent()
            ? btf.get().tracepointArguments("workqueue_execute_end")
            : OptionalInt.empty());
  }

  private static boolean isUsable(KernelLayout layout) {
    return layout.bytes(LayoutField.WORK_STRUCT_FUNC_OFFSET).isPresent()
        && layout.bytes(LayoutField.TIMER_LIST_FUNCTION_OFFSET).isPresent();
  }

  /** By what kind of work lies in the pool; without BTF, all that is seen is whether any does. */
  private static FastPoolMechanism mechanism(
      Optional<Btf> btf, KernelSymbols symbols, List<KernelSymbol> mix) {
    if (btf.isPresent() && btf.get().structSizeBytes("fast_pool").isPresent()) {
      return switch (btf.get().memberStruct("fast_pool", "mix").orElse("")) {
        case "timer_list" -> FastPoolMechanism.TIMER;
        case "work_struct" -> FastPoolMechanism.WORKQUEUE;
        case "tasklet_struct" -> FastPoolMechanism.TASKLET;
        case "" -> FastPoolMechanism.INLINE;
        default -> FastPoolMechanism.UNKNOWN;
      };
    }
    return mix.isEmpty() && symbols.contains("add_interrupt_randomness")
        ? FastPoolMechanism.INLINE
        : FastPoolMechanism.UNKNOWN;
  }

  private static OptionalLong onlyAddress(List<KernelSymbol> symbols) {
    return symbols.size() == 1 ? symbols.get(0).address() : OptionalLong.empty();
  }

  private static String mixProblem(KernelSymbols symbols, List<KernelSymbol> mix) {
    if (mix.size() > 1) {
      return MIX_FUNCTION
          + " is "
          + mix.size()
          + " symbols here, and which one is called is unknown; report it with them: "
          + mix.stream().map(KernelSymbol::name).collect(Collectors.joining(", "));
    }
    return symbols
        .remedy()
        .orElse(
            MIX_FUNCTION
                + " is not in /proc/kallsyms: the kernel needs CONFIG_KALLSYMS and the function"
                + " must not be inlined");
  }

  private static String layoutProblem(KernelRelease release) {
    return "the layout of the kernel's structs is unknown: there is no BTF (/sys/kernel/btf/vmlinux,"
        + " CONFIG_DEBUG_INFO_BTF), this kernel is not among those known, and its headers are not"
        + " installed; install them (Debian: linux-headers-"
        + release.release()
        + "; RHEL: kernel-devel-"
        + release.release()
        + ")";
  }
}
