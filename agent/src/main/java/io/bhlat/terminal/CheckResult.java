// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import io.bhlat.infiniband.Adapters;
import io.bhlat.kernel.KernelSymbols;
import io.bhlat.kernel.Lockdown;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.TraceTarget;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What {@code bhlat check} found out. Immutable.
 *
 * @param host the host
 * @param bhlatVersion the version of bhlat
 * @param preemptRt whether the kernel is a PREEMPT_RT one
 * @param hz timer ticks a second, where the kernel's configuration can be read
 * @param missingCapabilities a sentence for each capability that is missing, with the remedy
 * @param lockdown whether the kernel is locked down
 * @param target what tracing knows of the kernel
 * @param symbols whether /proc/kallsyms gives addresses
 * @param symbolsRemedy what to do about it if not
 * @param plan the plan, after every probe was attached and detached
 * @param failures what failed, with the remedies; each once
 * @param adapters InfiniBand adapters, and what could not be read of them
 */
public record CheckResult(
    ReportHeader host,
    String bhlatVersion,
    boolean preemptRt,
    OptionalInt hz,
    List<String> missingCapabilities,
    Lockdown lockdown,
    TraceTarget target,
    KernelSymbols.Visibility symbols,
    Optional<String> symbolsRemedy,
    ProbePlan plan,
    List<String> failures,
    Adapters adapters) {

  public CheckResult {
    missingCapabilities = List.copyOf(missingCapabilities);
    failures = List.copyOf(failures);
  }
}
