// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** Reads the symbols of the kernel that runs the test. */
class KernelSymbolsLiveTest {

  @Test
  void namesAFunctionOfTheRunningKernelBothWays() {
    KernelSymbols symbols = new KernelSymbols(HostFiles.ofThisHost());
    assumeTrue(symbols.state() == KernelSymbols.Visibility.VISIBLE, "addresses are not visible");
    long address = symbols.address("queue_work_on").orElseThrow();
    assertThat(symbols.nameContaining(address)).hasValue("queue_work_on");
    assertThat(symbols.nameContaining(address + 1)).hasValue("queue_work_on+0x1");
    assertThat(symbols.find("queue_work_on")).hasSize(1);
  }
}
