// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelSymbolsTest {
  private static final String LINES =
      """
      0000000000000000 A fixed_percpu_data
      ffffffff81000000 T _stext
      ffffffff81000000 T _text
      ffffffff81000010 t __pfx_mix_interrupt_randomness
      ffffffff81000020 t mix_interrupt_randomness
      ffffffff81000100 t tasklet_clear_sched.isra.0
      ffffffff81000140 t tasklet_clear_sched.isra.0.cold
      ffffffff81000180 t try_grab.part.0
      ffffffff81000200 t show
      ffffffff81000300 t show
      ffffffff81000400 t copy
      ffffffff81000500 t copy.constprop.1
      ffffffff81000600 W arch_weak
      ffffffff82000000 D __tracepoint_softirq_raise
      ffffffff82000040 d table.0
      ffffffffc0302000 t mlx4_cq_tasklet_cb\t[mlx4_core]
      ffffffffc0301000 t mlx4_eq_int\t[mlx4_core]
      """;

  @TempDir Path root;

  @Test
  void findsTheAddressOfANameAndTheNameOfAnAddress() {
    KernelSymbols symbols = symbols(LINES);
    assertThat(symbols.state()).isEqualTo(KernelSymbols.Visibility.VISIBLE);
    assertThat(symbols.remedy()).isEmpty();
    assertThat(symbols.address("mix_interrupt_randomness")).hasValue(0xffffffff81000020L);
    assertThat(symbols.nameContaining(0xffffffff81000020L)).hasValue("mix_interrupt_randomness");
    assertThat(symbols.address("mix_interrupt")).isEmpty();
    assertThat(symbols.address("")).isEmpty();
  }

  @Test
  void namesDataOnlyByNameAndCodeBothWays() {
    KernelSymbols symbols = symbols(LINES);
    assertThat(symbols.address("__tracepoint_softirq_raise")).hasValue(0xffffffff82000000L);
    assertThat(symbols.nameContaining(0xffffffff82000000L)).isEmpty();
    assertThat(symbols.nameContaining(0xffffffff81000600L)).hasValue("arch_weak");
    assertThat(symbols.contains("table.0")).isTrue();
    assertThat(symbols.contains("table")).isFalse();
  }

  @Test
  void namesTheModuleAlsoWhereModulesAreNotSorted() {
    KernelSymbols symbols = symbols(LINES);
    assertThat(symbols.nameContaining(0xffffffffc0301000L)).hasValue("mlx4_eq_int [mlx4_core]");
    assertThat(symbols.nameContaining(0xffffffffc0302008L))
        .hasValue("mlx4_cq_tasklet_cb+0x8 [mlx4_core]");
    assertThat(symbols.address("mlx4_eq_int")).hasValue(0xffffffffc0301000L);
  }

  @Test
  void namesThePlaceInAFunction() {
    KernelSymbols symbols = symbols(LINES);
    assertThat(symbols.nameContaining(0xffffffff81000030L))
        .hasValue("mix_interrupt_randomness+0x10");
    assertThat(symbols.nameContaining(0xffffffff81000020L)).hasValue("mix_interrupt_randomness");
    assertThat(symbols.nameContaining(0xffffffff80ffffffL)).isEmpty();
    assertThat(symbols.nameContaining(0xffffffffc0402000L)).isEmpty();
    assertThat(symbols.nameContaining(0x1000L)).isEmpty();
  }

  @Test
  void ordersAddressesWithoutSign() {
    KernelSymbols symbols = symbols("0000000000400000 t low\nffffffff81000000 t high\n");
    assertThat(symbols.nameContaining(0x400010L)).hasValue("low+0x10");
    assertThat(symbols.nameContaining(0xffffffff81000010L)).hasValue("high+0x10");
    assertThat(symbols.nameContaining(0x7fffffffffffffffL)).isEmpty();
  }

  @Test
  void takesTheFirstOfSeveralNamesOfAnAddress() {
    assertThat(symbols(LINES).nameContaining(0xffffffff81000000L)).hasValue("_stext");
  }

  @Test
  void doesNotGuessBetweenFunctionsOfTheSameName() {
    KernelSymbols symbols = symbols(LINES);
    assertThat(symbols.contains("show")).isTrue();
    assertThat(symbols.address("show")).isEmpty();
    assertThat(symbols.find("show"))
        .extracting(symbol -> symbol.address().orElseThrow())
        .containsExactly(0xffffffff81000200L, 0xffffffff81000300L);
  }

  @Test
  void findsFunctionsWithTheCompilersSuffix() {
    KernelSymbols symbols = symbols(LINES);
    assertThat(names(symbols.find("tasklet_clear_sched")))
        .containsExactly("tasklet_clear_sched.isra.0");
    assertThat(names(symbols.find("copy"))).containsExactly("copy", "copy.constprop.1");
    assertThat(names(symbols.find("mix_interrupt_randomness")))
        .containsExactly("mix_interrupt_randomness");
    assertThat(symbols.address("tasklet_clear_sched.isra.0")).hasValue(0xffffffff81000100L);
  }

  @Test
  void takesNoPieceOfAFunctionForIt() {
    KernelSymbols symbols = symbols(LINES);
    assertThat(symbols.find("try_grab")).isEmpty();
    assertThat(symbols.find("table")).isEmpty();
    assertThat(symbols.find("tasklet_clear")).isEmpty();
  }

  @Test
  void saysThatAddressesAreHiddenAndFromWhom() {
    FixtureHost host =
        new FixtureHost(root)
            .with("/proc/kallsyms", LINES.replaceAll("(?m)^[0-9a-f]{16}", "0000000000000000"))
            .with("/proc/sys/kernel/kptr_restrict", "2\n");
    KernelSymbols symbols = new KernelSymbols(host.files());
    assertThat(symbols.state()).isEqualTo(KernelSymbols.Visibility.HIDDEN);
    assertThat(symbols.remedy())
        .hasValue(
            "addresses in /proc/kallsyms are hidden: kernel.kptr_restrict=2 hides them even from"
                + " root; run sysctl kernel.kptr_restrict=1");
    assertThat(symbols.address("mix_interrupt_randomness")).isEmpty();
    assertThat(symbols.contains("mix_interrupt_randomness")).isTrue();
    assertThat(symbols.nameContaining(0)).isEmpty();
    assertThat(symbols.find("mix_interrupt_randomness"))
        .singleElement()
        .satisfies(symbol -> assertThat(symbol.address()).isEmpty());
    host.with("/proc/sys/kernel/kptr_restrict", "1\n");
    assertThat(new KernelSymbols(host.files()).remedy().orElseThrow()).contains("CAP_SYSLOG");
  }

  @Test
  void saysWhyNothingCanBeRead() {
    KernelSymbols absent = new KernelSymbols(new HostFiles(root));
    assertThat(absent.state()).isEqualTo(KernelSymbols.Visibility.UNREADABLE);
    assertThat(absent.remedy().orElseThrow()).contains("ENOENT").contains("CONFIG_KALLSYMS");
    assertThat(absent.find("show")).isEmpty();
    assertThat(absent.address("show")).isEmpty();
    assertThat(symbols("").remedy().orElseThrow()).contains("it is empty");
  }

  @Test
  void reportsTheLineThatHasAnotherForm() {
    for (String line :
        new String[] {"xyz t name\n", "ff tt name\n", "ff t \n", "ff t half", "ff"}) {
      KernelSymbols symbols = symbols("ffffffff81000000 T _stext\n" + line);
      assertThat(symbols.state()).isEqualTo(KernelSymbols.Visibility.UNREADABLE);
      assertThat(symbols.remedy().orElseThrow())
          .endsWith("kallsyms: line 2 is not \"address type name\"");
    }
  }

  @Test
  void keepsLinesThatLieAcrossTheEdgesOfTheReadBuffer() {
    StringBuilder lines = new StringBuilder();
    int count = 20_000;
    for (int i = 0; i < count; i++) {
      lines.append(String.format("%016x t function_%d%n", 0xffffffff81000000L + 16L * i, i));
    }
    KernelSymbols symbols = symbols(lines.toString());
    for (int i = 0; i < count; i += 7) {
      assertThat(symbols.nameContaining(0xffffffff81000000L + 16L * i)).hasValue("function_" + i);
    }
    assertThat(symbols.address("function_19999")).hasValue(0xffffffff81000000L + 16L * 19_999);
  }

  private KernelSymbols symbols(String lines) {
    return new KernelSymbols(new FixtureHost(root).with("/proc/kallsyms", lines).files());
  }

  private static List<String> names(List<KernelSymbol> symbols) {
    return symbols.stream().map(KernelSymbol::name).toList();
  }
}
