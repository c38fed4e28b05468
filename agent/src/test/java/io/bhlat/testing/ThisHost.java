// SPDX-License-Identifier: Apache-2.0
package io.bhlat.testing;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.InterruptDevices;
import io.bhlat.kernel.KernelSymbols;
import io.bhlat.kernel.ReadErrors;
import io.bhlat.trace.HostView;

/** The host that the tests run on, with addresses for the names that it hides. */
public final class ThisHost implements HostView {

  /** Its files. */
  public static final HostFiles FILES = HostFiles.ofThisHost();

  private final KernelSymbols symbols;
  private final ReadErrors errors = new ReadErrors();
  private final InterruptDevices devices = new InterruptDevices(FILES, errors);

  /** Looks at nothing yet. */
  public ThisHost(KernelSymbols symbols) {
    this.symbols = symbols;
  }

  @Override
  public CpuSet onlineCpus() {
    return CpuSet.online(FILES);
  }

  @Override
  public String functionName(long address) {
    return symbols.nameOf(address).orElse("0x" + Long.toHexString(address));
  }

  @Override
  public String interruptDevices(int irq) {
    return devices.of(irq, System.nanoTime());
  }

  @Override
  public ReadErrors readErrors() {
    return errors;
  }
}
