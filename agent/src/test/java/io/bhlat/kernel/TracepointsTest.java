// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static io.bhlat.kernel.Tracepoints.Presence.ABSENT;
import static io.bhlat.kernel.Tracepoints.Presence.PRESENT;
import static io.bhlat.kernel.Tracepoints.Presence.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracepointsTest {
  @TempDir Path root;

  @Test
  void looksInTracefsWhereverItIsMounted() {
    for (String tracing : new String[] {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
      FixtureHost host =
          new FixtureHost(root.resolve(tracing.substring(1).replace('/', '-')))
              .with(tracing + "/events/enable", "0\n")
              .with(tracing + "/events/irq/softirq_raise/id", "1\n")
              .with(tracing + "/events/sched/sched_switch/id", "2\n");
      Tracepoints tracepoints = tracepoints(host, Optional.empty());
      assertThat(tracepoints.presence("softirq_raise")).isEqualTo(PRESENT);
      assertThat(tracepoints.presence("tasklet_entry")).isEqualTo(ABSENT);
    }
  }

  @Test
  void looksInTheSymbolsWithoutTracefs() {
    FixtureHost host =
        new FixtureHost(root)
            .with(
                "/proc/kallsyms",
                """
                ffffffff81000000 T __traceiter_sched_switch
                ffffffff81000100 T __traceiter_softirq_raise
                ffffffff82000000 D __tracepoint_tasklet_entry
                """);
    Tracepoints tracepoints = tracepoints(host, Optional.empty());
    assertThat(tracepoints.presence("softirq_raise")).isEqualTo(PRESENT);
    assertThat(tracepoints.presence("tasklet_entry")).isEqualTo(PRESENT);
    assertThat(tracepoints.presence("tasklet_exit")).isEqualTo(ABSENT);
  }

  @Test
  void looksInBtf() {
    BtfBuilder builder = new BtfBuilder();
    int probe = builder.pointer(builder.functionType(0, builder.pointer(0)));
    builder.reference(BtfTypes.TYPEDEF, "btf_trace_sched_switch", probe);
    builder.reference(BtfTypes.TYPEDEF, "btf_trace_softirq_raise", probe);
    Tracepoints tracepoints = tracepoints(new FixtureHost(root), Optional.of(builder.parse()));
    assertThat(tracepoints.presence("softirq_raise")).isEqualTo(PRESENT);
    assertThat(tracepoints.presence("tasklet_entry")).isEqualTo(ABSENT);
  }

  @Test
  void doesNotKnowWhereNothingNamesTracepoints() {
    FixtureHost host =
        new FixtureHost(root)
            .withDirectory("/sys/kernel/tracing")
            .with("/proc/kallsyms", "ffffffff81000000 T _stext\n");
    assertThat(tracepoints(host, Optional.empty()).presence("softirq_raise")).isEqualTo(UNKNOWN);
  }

  private static Tracepoints tracepoints(FixtureHost host, Optional<Btf> btf) {
    return new Tracepoints(host.files(), new KernelSymbols(host.files()), btf);
  }
}
