// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.bhlat.infiniband.Adapters;
import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.KernelSymbols.Visibility;
import io.bhlat.kernel.LayoutField;
import io.bhlat.kernel.Lockdown;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.testing.Golden;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlanner;
import io.bhlat.trace.TraceOptions;
import io.bhlat.trace.TraceTarget;
import java.nio.charset.Charset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class CheckReportTest {

  private static final String EPERM =
      "compile BPF programs: EPERM; run as root or grant CAP_BPF and CAP_PERFMON (before Linux 5.8:"
          + " CAP_SYS_ADMIN)";
  private static final String HIDDEN =
      "addresses in /proc/kallsyms are hidden: kernel.kptr_restrict=1 shows them to root only; run as"
          + " root or grant CAP_SYSLOG";
  private static final String NO_ACTIVATION =
      "attach raw_tracepoint workqueue_activate_work: ENOENT; this kernel does not have it";
  private static final String NO_TASKLETS =
      "attach raw_tracepoint tasklet_entry: ENOENT; this kernel does not have it";

  /** The ConnectX-3 host, where everything works. */
  private static CheckResult complete() {
    TraceTarget target = target(Optional.of(layout(KernelLayout.Source.BTF)), "");
    return result(
        target,
        Visibility.VISIBLE,
        List.of(),
        plan(target, Map.of()),
        List.of(),
        ConnectX3.adapters());
  }

  /** A kernel that lacks two tracepoints and has no BTF. */
  private static CheckResult lacking() {
    TraceTarget target = target(Optional.of(layout(KernelLayout.Source.HOST_HEADERS)), "");
    ProbePlan plan =
        plan(
            target, Map.of("workqueue_activate_work", NO_ACTIVATION, "tasklet_entry", NO_TASKLETS));
    Adapters unreadable =
        new Adapters(List.of(), List.of("read /sys/class/infiniband: EACCES; run as root"));
    return result(
        target,
        Visibility.VISIBLE,
        List.of(),
        plan,
        List.of(NO_ACTIVATION, NO_TASKLETS),
        unreadable);
  }

  /** The same kernel as its users see it: one obstacle stops everything. */
  private static CheckResult notPermitted() {
    TraceTarget target = target(Optional.of(layout(KernelLayout.Source.BTF)), HIDDEN);
    ProbePlan plan =
        new ProbePlanner(TraceOptions.everything(), target)
            .attach(attacher(probe -> Optional.of(EPERM)));
    return result(
        target,
        Visibility.HIDDEN,
        List.of("CAP_BPF is missing, needed to create BPF maps and load BPF programs"),
        plan,
        List.of(EPERM),
        new Adapters(List.of(), List.of()));
  }

  private static CheckResult result(
      TraceTarget target,
      Visibility symbols,
      List<String> missingCapabilities,
      ProbePlan plan,
      List<String> failures,
      Adapters adapters) {
    return new CheckResult(
        Example.HEADER,
        "1.2.3",
        false,
        OptionalInt.of(250),
        missingCapabilities,
        Lockdown.NONE,
        target,
        symbols,
        symbols == Visibility.VISIBLE ? Optional.empty() : Optional.of(HIDDEN),
        plan,
        failures,
        adapters);
  }

  private static TraceTarget target(Optional<KernelLayout> layout, String mixProblem) {
    return new TraceTarget(
        CpuSet.parse("0-1"),
        false,
        layout,
        "the layout of the kernel's structs is unknown",
        FastPoolMechanism.TIMER,
        mixProblem.isEmpty() ? OptionalLong.of(0xffffffff81b0c0d0L) : OptionalLong.empty(),
        mixProblem,
        OptionalLong.of(0xffffffff810d1230L),
        OptionalInt.of(2));
  }

  private static KernelLayout layout(KernelLayout.Source source) {
    EnumMap<LayoutField, Integer> bytes = new EnumMap<>(LayoutField.class);
    for (LayoutField field : LayoutField.values()) {
      bytes.put(field, 24);
    }
    return new KernelLayout(source, bytes);
  }

  private static ProbePlan plan(TraceTarget target, Map<String, String> failureByTracepoint) {
    return new ProbePlanner(TraceOptions.everything(), target)
        .attach(attacher(probe -> Optional.ofNullable(failureByTracepoint.get(probe.target()))));
  }

  /** A kernel on which functions cannot be probed. */
  private static ProbePlanner.Attacher attacher(Function<Probe, Optional<String>> failureOf) {
    return new ProbePlanner.Attacher() {
      @Override
      public Optional<String> attach(Probe probe) {
        return probe.kind() == ProbeKind.RAW_TRACEPOINT
            ? failureOf.apply(probe)
            : Optional.of("attach " + probe + ": ENOENT; this kernel does not have it");
      }

      @Override
      public void detach(Probe probe) {}
    };
  }

  private static String report(CheckResult check, Charset charset, int columns) {
    return new CheckReport(Units.forCharset(charset), columns).render(check);
  }

  @Test
  void showsAHostWhereEverythingWorks() {
    Golden.assertMatches("terminal/check-complete.txt", report(complete(), UTF_8, 100));
  }

  @Test
  void fitsIntoEightyColumnsOfAscii() {
    String text = report(complete(), US_ASCII, 80);
    assertThat(text).isASCII();
    assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void namesWhatIsLessExactAndWhatIsMissing() {
    Golden.assertMatches("terminal/check-lacking.txt", report(lacking(), UTF_8, 100));
  }

  @Test
  void tellsAnObstacleThatStopsEverythingOnce() {
    String text = report(notPermitted(), UTF_8, 100);
    Golden.assertMatches("terminal/check-not-permitted.txt", text);
    assertThat(text.split("EPERM", -1)).hasSize(2);
  }

  @Test
  void isOneJsonObjectALine() {
    String lines =
        CheckJson.render(complete())
            + CheckJson.render(lacking())
            + CheckJson.render(notPermitted());
    Golden.assertMatches("terminal/check.jsonl", lines);
    assertThat(lines.lines())
        .hasSize(3)
        .allSatisfy(
            line ->
                assertThat(JsonParser.parseString(line).getAsJsonObject().get("schema"))
                    .hasToString("\"bhlat.check/1\""));
  }
}
