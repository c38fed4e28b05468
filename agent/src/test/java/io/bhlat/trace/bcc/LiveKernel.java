// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.KernelSymbols;
import io.bhlat.testing.ThisHost;
import io.bhlat.trace.TraceOptions;
import io.bhlat.trace.TraceTarget;
import io.bhlat.trace.TraceTargets;
import java.util.Optional;

/** The kernel that the tests run on. */
final class LiveKernel {

  static final HostFiles HOST = ThisHost.FILES;
  private static final KernelSymbols SYMBOLS = new KernelSymbols(HOST);

  private LiveKernel() {}

  static TraceTarget target() {
    return TraceTargets.of(HOST, SYMBOLS, Optional::empty);
  }

  static LiveSource open(TraceOptions options) throws BpfException {
    return LiveSource.open(options, target(), new ThisHost());
  }
}
