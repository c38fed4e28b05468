// SPDX-License-Identifier: Apache-2.0
package io.bhlat.testing;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.FunctionNames;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.InterruptDevices;
import io.bhlat.kernel.ReadErrors;
import io.bhlat.trace.HostView;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The host that the tests run on, with addresses for the names that it hides. */
public final class ThisHost implements HostView {

  /** Its files. */
  public static final HostFiles FILES = HostFiles.ofThisHost();

  private final ReadErrors errors = new ReadErrors();
  private final InterruptDevices devices = new InterruptDevices(FILES, errors);

  @Override
  public CpuSet onlineCpus() {
    return CpuSet.online(FILES);
  }

  @Override
  public Map<Long, String> functionNames(Set<Long> addresses) {
    Map<Long, String> names = new HashMap<>(new FunctionNames(FILES).of(addresses).orElseThrow());
    addresses.forEach(address -> names.putIfAbsent(address, "0x" + Long.toHexString(address)));
    return names;
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
