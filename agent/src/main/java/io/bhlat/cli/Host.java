// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.kernel.BootTime;
import io.bhlat.kernel.BtfFormatException;
import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.FunctionNames;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.HostReadException;
import io.bhlat.kernel.InterruptDevices;
import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.KernelRelease;
import io.bhlat.kernel.KernelSymbols;
import io.bhlat.kernel.ReadErrors;
import io.bhlat.metrics.HostLabels;
import io.bhlat.terminal.ReportHeader;
import io.bhlat.trace.HostView;
import io.bhlat.trace.TraceOptions;
import io.bhlat.trace.TraceTarget;
import io.bhlat.trace.TraceTargets;
import io.bhlat.trace.bcc.BpfException;
import io.bhlat.trace.bcc.HeaderLayout;
import io.bhlat.trace.bcc.LiveSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The host that is measured: what it is, and how to trace it. Used by one thread. */
final class Host implements HostView {

  private final HostFiles files = HostFiles.ofThisHost();
  private final KernelSymbols symbols = new KernelSymbols(files);
  private final FunctionNames functionNames = new FunctionNames(files);
  private final KernelRelease release = KernelRelease.read(files);
  private final ReadErrors readErrors = new ReadErrors();
  private final InterruptDevices interruptDevices = new InterruptDevices(files, readErrors);
  private CpuSet onlineCpus = CpuSet.of();
  private int hiddenFunctions;

  HostFiles files() {
    return files;
  }

  KernelRelease release() {
    return release;
  }

  KernelSymbols symbols() {
    return symbols;
  }

  /**
   * Finds out what tracing must know of this kernel.
   *
   * @throws CommandFailure if the host's files cannot be read
   */
  TraceTarget target() {
    try {
      return TraceTargets.of(files, symbols, this::headerLayout);
    } catch (HostReadException | BtfFormatException e) {
      throw new CommandFailure(ExitCode.CANNOT, String.valueOf(e.getMessage()), e);
    }
  }

  private Optional<KernelLayout> headerLayout() {
    try {
      return HeaderLayout.ofInstalledHeaders(release.release());
    } catch (BpfException e) {
      return Optional.empty();
    }
  }

  /** Compiles and attaches. */
  LiveSource open(TraceOptions options, TraceTarget target) throws BpfException {
    return LiveSource.open(options, target, this);
  }

  /** Those read last, while the file cannot be read: CPUs that counted are reported anyhow. */
  @Override
  public CpuSet onlineCpus() {
    try {
      onlineCpus = CpuSet.online(files);
      readErrors.afterReading(ReadErrors.Kind.CPUS, List.of());
    } catch (HostReadException e) {
      readErrors.afterReading(ReadErrors.Kind.CPUS, List.of(String.valueOf(e.getMessage())));
    }
    return onlineCpus;
  }

  @Override
  public ReadErrors readErrors() {
    return readErrors;
  }

  @Override
  public String interruptDevices(int irq) {
    return interruptDevices.of(irq, System.nanoTime());
  }

  /** Any thread. Addresses that are hidden on purpose do not leave by this way either. */
  @Override
  public synchronized Map<Long, String> functionNames(Set<Long> addresses) {
    Optional<Map<Long, String>> known = functionNames.of(addresses);
    Map<Long, String> names = new HashMap<>(known.orElse(Map.of()));
    for (long address : addresses) {
      names.computeIfAbsent(
          address,
          unknown ->
              known.isPresent() ? "0x" + Long.toHexString(unknown) : "hidden_" + ++hiddenFunctions);
    }
    return names;
  }

  ReportHeader reportHeader() {
    return new ReportHeader(
        files.requiredText("/proc/sys/kernel/hostname"),
        release.release(),
        release.version(),
        CpuSet.online(files).toString());
  }

  HostLabels labels() {
    return new HostLabels(
        release.release(),
        release.version(),
        release.isPreemptRt(),
        BootTime.seconds(files),
        Version.text());
  }
}
