// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.kernel.FixtureHost;
import io.bhlat.kernel.KernelSymbols;
import io.bhlat.model.FastPoolMechanism;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recognised of a kernel without BTF, by its symbols alone. */
final class TraceTargetsTest {

  private static final String OTHERS =
      "ffffffff81000000 T _stext\nffffffff81000100 T add_interrupt_randomness\n";
  private static final long MIX_ADDRESS = 0xffffffff81000200L;

  @TempDir Path root;
  private FixtureHost host;

  @BeforeEach
  void describeTheHost() {
    host =
        new FixtureHost(root)
            .with("/proc/sys/kernel/osrelease", "6.1.192-own\n")
            .with("/proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC\n")
            .with("/sys/devices/system/cpu/possible", "0-1\n");
  }

  private TraceTarget target(String symbols) {
    host.with("/proc/kallsyms", OTHERS + symbols);
    return TraceTargets.of(host.files(), new KernelSymbols(host.files()), Optional::empty);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".isra.0", ".constprop.0", ".isra.0.constprop.12", ".llvm.123", ".lto_priv.0"})
  void findsFunctionsByTheirBaseNameWhateverTheCompilerAppended(String suffix) {
    TraceTarget target =
        target(
            "ffffffff81000200 t mix_interrupt_randomness"
                + suffix
                + "\nffffffff81000280 t mix_interrupt_randomness.cold"
                + "\nffffffff81000300 t wq_barrier_func"
                + suffix
                + "\n");

    assertThat(target.mixFunction()).hasValue(MIX_ADDRESS);
    assertThat(target.mixProblem()).isEmpty();
    assertThat(target.mechanism()).isEqualTo(FastPoolMechanism.UNKNOWN);
    assertThat(target.flushBarrierFunction()).hasValue(0xffffffff81000300L);
  }

  @Test
  void guessesNotBetweenSeveralCopiesAndNamesThem() {
    TraceTarget target =
        target(
            """
            ffffffff81000200 t mix_interrupt_randomness.constprop.0
            ffffffff81000300 t mix_interrupt_randomness.constprop.1
            ffffffff81000400 t wq_barrier_func
            ffffffff81000500 t wq_barrier_func.isra.0
            """);

    assertThat(target.mixFunction()).isEmpty();
    assertThat(target.mixProblem())
        .isEqualTo(
            "mix_interrupt_randomness is 2 symbols here, and which one is called is unknown; report"
                + " it with them: mix_interrupt_randomness.constprop.0,"
                + " mix_interrupt_randomness.constprop.1");
    assertThat(target.flushBarrierFunction()).isEmpty();
  }

  @Test
  void takesAKernelWithoutTheFunctionForOneThatMixesInTheInterrupt() {
    TraceTarget target = target("");

    assertThat(target.mechanism()).isEqualTo(FastPoolMechanism.INLINE);
    assertThat(target.mixProblem()).isEmpty();
  }

  @Test
  void saysWhyTheMixingCannotBeRecognisedWhereNoSymbolOfItsFileIsToBeHad() {
    host.with("/proc/kallsyms", "ffffffff81000000 T _stext\n");

    TraceTarget target =
        TraceTargets.of(host.files(), new KernelSymbols(host.files()), Optional::empty);

    assertThat(target.mechanism()).isEqualTo(FastPoolMechanism.UNKNOWN);
    assertThat(target.mixProblem())
        .startsWith("mix_interrupt_randomness is not in /proc/kallsyms: ")
        .contains("the kernel needs CONFIG_KALLSYMS");
  }

  @Test
  void passesOnWhyAddressesAreHidden() {
    host.with("/proc/sys/kernel/kptr_restrict", "2\n")
        .with(
            "/proc/kallsyms",
            """
            0000000000000000 T add_interrupt_randomness
            0000000000000000 t mix_interrupt_randomness
            """);

    TraceTarget target =
        TraceTargets.of(host.files(), new KernelSymbols(host.files()), Optional::empty);

    assertThat(target.mixFunction()).isEmpty();
    assertThat(target.mixProblem()).contains("run sysctl kernel.kptr_restrict=1");
  }
}
