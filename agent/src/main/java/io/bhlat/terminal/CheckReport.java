// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.infiniband.Adapter;
import io.bhlat.infiniband.CodedState;
import io.bhlat.infiniband.Port;
import io.bhlat.kernel.KernelSymbols;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbePlan.State;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code bhlat check} prints. Used by one thread. */
public final class CheckReport {

  private static final int LABEL = 22;
  private static final int INDENT = LABEL + 2;
  private static final String SEE_ABOVE = "see above";

  private final Page page;

  /** A report for a terminal of that width, with the characters that it can show. */
  public CheckReport(Units units, int columns) {
    this.page = new Page(Math.max(HistOptions.LEAST_COLUMNS, columns), units.glyphs());
  }

  /** The report, several lines. Once. */
  public String render(CheckResult check) {
    host(check);
    page.gap();
    probes(check);
    page.gap();
    adapters(check);
    return page.toString();
  }

  private void host(CheckResult check) {
    ReportHeader host = check.host();
    field("host", host.hostname() + ", CPUs " + host.cpus() + " online");
    field("kernel", host.kernelRelease() + " " + host.kernelVersion() + ticks(check));
    field("fast pool", fastPool(check));
    field(
        "privileges",
        check.missingCapabilities().isEmpty()
            ? "all that is needed"
            : String.join("; ", check.missingCapabilities()));
    field(
        "lockdown",
        switch (check.lockdown()) {
          case NONE -> "none";
          case INTEGRITY -> "integrity: nothing that bhlat needs is refused";
          case CONFIDENTIALITY ->
              "confidentiality: the kernel's memory may not be read; boot without it to measure work"
                  + " items";
          case UNKNOWN -> "not told (securityfs is not mounted, or the kernel has none)";
        });
    field(
        "struct layout",
        check
            .target()
            .layout()
            .map(
                layout ->
                    switch (layout.source()) {
                      case BTF -> "from the kernel's BTF";
                      case KNOWN_TABLE -> "from the table of known kernels (no BTF here)";
                      case HOST_HEADERS ->
                          "from the installed kernel headers (no BTF here): no workqueue names";
                    })
            .orElse(check.target().layoutProblem()));
    field(
        "symbols",
        check.symbols() == KernelSymbols.Visibility.VISIBLE
            ? "visible in /proc/kallsyms"
            : check.symbolsRemedy().orElse("hidden"));
    check.failures().forEach(failure -> field("failed", failure));
  }

  private static String ticks(CheckResult check) {
    return (check.hz().isPresent() ? ", HZ=" + check.hz().getAsInt() : "")
        + (check.preemptRt() ? ", PREEMPT_RT" : "");
  }

  private static String fastPool(CheckResult check) {
    FastPoolMechanism mechanism = check.plan().mechanism();
    return switch (mechanism) {
      case TIMER -> "mixed by a timer that has expired: waits for a tick" + tick(check.hz());
      case WORKQUEUE -> "mixed by a work item on system_highpri_wq: waits for a kworker";
      case TASKLET -> "mixed by a hi tasklet: waits for the end of the interrupt";
      case INLINE -> "mixed in the interrupt itself: nothing to wait for";
      case UNKNOWN -> "how it is mixed is not known here (no BTF): a timer or a work item";
    };
  }

  private static String tick(OptionalInt hz) {
    return hz.isEmpty()
        ? ""
        : "; they come every " + 1000.0 / hz.getAsInt() + " ms, less often while a CPU idles";
  }

  private void probes(CheckResult check) {
    page.line("probes, as tried just now");
    for (Planned planned : check.plan().measurements()) {
      entry(planned.measurement().label(), state(planned.state()) + attachedProbes(planned));
      Stream<String> failures =
          planned.notes().isEmpty()
              ? planned.probes().stream().flatMap(status -> status.failure().stream())
              : planned.notes().stream();
      List<String> notes = failures.map(note -> brief(note, check.failures())).distinct().toList();
      (notes.contains(SEE_ABOVE) ? List.of(SEE_ABOVE) : notes).forEach(note -> entry("", note));
    }
  }

  /** Where one obstacle stops everything, it is told once, above, and not at every probe again. */
  private static String brief(String note, List<String> failures) {
    return failures.size() == 1 ? note.replace(failures.get(0), SEE_ABOVE) : note;
  }

  private static String state(State state) {
    return switch (state) {
      case ATTACHED -> "ok";
      case PARTIAL -> "in part";
      case MISSING -> "missing";
      case NOT_REQUESTED -> "not asked for";
      case NOT_APPLICABLE -> "nothing to measure";
    };
  }

  private static String attachedProbes(Planned planned) {
    return planned.probes().stream()
        .filter(ProbeStatus::attached)
        .collect(
            Collectors.groupingBy(
                status -> status.probe().kind(),
                () -> new EnumMap<>(ProbeKind.class),
                Collectors.toList()))
        .entrySet()
        .stream()
        .map(
            kind ->
                "; "
                    + kind.getKey().label()
                    + " "
                    + kind.getValue().stream()
                        .map(status -> status.probe().target())
                        .collect(Collectors.joining(", ")))
        .collect(Collectors.joining());
  }

  private void adapters(CheckResult check) {
    if (check.adapters().adapters().isEmpty() && check.adapters().problems().isEmpty()) {
      page.line("InfiniBand: no adapter here (nothing in /sys/class/infiniband)");
    } else {
      page.line("InfiniBand");
    }
    for (Adapter adapter : check.adapters().adapters()) {
      entry(adapter.name(), adapterFacts(adapter));
      for (Port port : adapter.ports()) {
        entry("  port " + port.number(), portFacts(port));
      }
    }
    check.adapters().problems().forEach(problem -> entry("", problem));
  }

  private static String adapterFacts(Adapter adapter) {
    return facts(
        List.of(
            adapter.hcaType(),
            adapter.boardId(),
            adapter.firmware().map(firmware -> "firmware " + firmware),
            adapter.pciAddress().map(address -> "PCI " + address),
            number("NUMA node ", adapter.numaNode()),
            list("", adapter.netDevices()),
            adapter.interrupts().isEmpty()
                ? Optional.empty()
                : Optional.of(adapter.interrupts().size() + " interrupts")));
  }

  private static String portFacts(Port port) {
    return facts(
        List.of(
            port.state().map(CodedState::name),
            port.physState().map(CodedState::name),
            port.rate(),
            port.linkLayer(),
            hex("LID ", port.lid()),
            hex("SM LID ", port.smLid()),
            list("GID ", port.gids())));
  }

  private static String facts(List<Optional<String>> facts) {
    return facts.stream().flatMap(Optional::stream).collect(Collectors.joining(", "));
  }

  private static Optional<String> number(String name, OptionalInt number) {
    return number.isEmpty() ? Optional.empty() : Optional.of(name + number.getAsInt());
  }

  private static Optional<String> hex(String name, OptionalInt number) {
    return number.isEmpty()
        ? Optional.empty()
        : Optional.of(name + "0x" + Integer.toHexString(number.getAsInt()));
  }

  private static Optional<String> list(String name, List<String> values) {
    return values.isEmpty() ? Optional.empty() : Optional.of(name + String.join(" ", values));
  }

  private void field(String label, String text) {
    page.wrapped(("%-" + LABEL + "s  %s").formatted(label, text), INDENT);
  }

  private void entry(String label, String text) {
    page.wrapped(("  %-" + (LABEL - 2) + "s  %s").formatted(label, text), INDENT);
  }
}
