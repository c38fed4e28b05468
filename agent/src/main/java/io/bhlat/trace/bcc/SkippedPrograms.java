// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.kernel.HostFiles;
import io.bhlat.linux.FileDescriptor;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbePlan;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How often the kernel did not run programs, as /proc/self/fdinfo says it of their descriptors
 * ({@code recursion_misses}, since Linux 5.12). Not thread-safe.
 *
 * <p>The kernel skips a program that is running on that CPU already: fentry programs, and since 6.1
 * raw tracepoints, where a program's own event interrupts it. A kprobe's program is skipped when
 * any program of a kprobe or perf tracepoint is running there, which is counted since 6.7. Kprobes
 * that the kernel does not even take to their program (nmissed) it tells only of probes made in
 * tracefs or held by a BPF link; those of libbcc are neither.
 */
final class SkippedPrograms {

  private static final String FIELD = "recursion_misses:";

  private final HostFiles files;
  private final Map<Probe, Long> skips = new HashMap<>();

  /**
   * Nothing read yet.
   *
   * @param files where this process's /proc is
   */
  SkippedPrograms(HostFiles files) {
    this.files = files;
  }

  /**
   * Reads the counts of programs that are attached. A program that is not among them any more keeps
   * its last count.
   *
   * @throws io.bhlat.kernel.HostReadException if /proc cannot be read
   */
  void read(Map<Probe, FileDescriptor> programs) {
    programs.forEach(
        (probe, program) ->
            parse(files.requiredText("/proc/self/fdinfo/" + program.number()))
                .ifPresent(count -> skips.put(probe, count)));
  }

  /** The count in a program's fdinfo; empty where the kernel does not tell it. */
  static OptionalLong parse(String fdinfo) {
    return fdinfo
        .lines()
        .filter(line -> line.startsWith(FIELD))
        .mapToLong(line -> Long.parseLong(line.substring(FIELD.length()).strip()))
        .findFirst();
  }

  /**
   * The skips read last, each counted once: for the main class of the measurement that owns the
   * program. Classes of which no program was skipped are left out.
   */
  Map<WorkClass, LossCounts> byClass(ProbePlan plan) {
    Map<WorkClass, LossCounts> lost = new EnumMap<>(WorkClass.class);
    skips.forEach(
        (probe, count) -> {
          LossCounts skipped = LossCounts.of(LossReason.PROGRAM_SKIPPED, count);
          if (!skipped.isNone()) {
            plan.ownerOf(probe)
                .map(Measurement::mainClass)
                .ifPresent(workClass -> lost.merge(workClass, skipped, LossCounts::plus));
          }
        });
    return lost;
  }
}
