// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.kernel.BpfStatistics;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.HostReadException;
import io.bhlat.kernel.ReadErrors;
import io.bhlat.linux.FileDescriptor;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbePlan;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What the kernel counts of our programs, as /proc/self/fdinfo says it of their descriptors: how
 * often it did not run them ({@code recursion_misses}, since Linux 5.12), and what they cost
 * ({@code run_cnt} and {@code run_time_ns}, since Linux 5.1). Not thread-safe.
 *
 * <p>The kernel skips a program that is running on that CPU already: fentry programs, and since 6.1
 * raw tracepoints, where a program's own event interrupts it. A kprobe's program is skipped when
 * any program of a kprobe or perf tracepoint is running there, which is counted since 6.7. Kprobes
 * that the kernel does not even take to their program (nmissed) it tells only of probes made in
 * tracefs or held by a BPF link; those of libbcc are neither.
 *
 * <p>A program whose file cannot be read keeps its last counts, and so does one that is detached.
 */
final class ProgramReader {

  private final HostFiles files;
  private final ReadErrors errors;
  private final Map<Probe, Fdinfo> programs = new HashMap<>();
  private boolean statisticsEnabled;

  /** The counts of one program; what the kernel does not tell is 0. */
  record Fdinfo(long skips, ProgramRuns runs) {

    /**
     * Takes the text of an fdinfo apart.
     *
     * @throws NumberFormatException if a count is none
     */
    static Fdinfo parse(String text) {
      long skips = 0;
      long runs = 0;
      long runTimeNs = 0;
      for (String line : text.split("\n", -1)) {
        int colon = line.indexOf(':');
        switch (colon < 0 ? "" : line.substring(0, colon)) {
          case "recursion_misses" -> skips = Long.parseLong(line.substring(colon + 1).strip());
          case "run_cnt" -> runs = Long.parseLong(line.substring(colon + 1).strip());
          case "run_time_ns" -> runTimeNs = Long.parseLong(line.substring(colon + 1).strip());
          default -> {} // of no use to us
        }
      }
      return new Fdinfo(skips, new ProgramRuns(runs, runTimeNs));
    }
  }

  /**
   * Nothing read yet.
   *
   * @param files where this process's /proc is
   * @param errors told of files that cannot be read
   */
  ProgramReader(HostFiles files, ReadErrors errors) {
    this.files = files;
    this.errors = errors;
  }

  /** Reads the counts of programs that are attached, each file once. */
  void read(Map<Probe, FileDescriptor> attached) {
    List<String> problems = new ArrayList<>();
    attached.forEach(
        (probe, program) -> {
          String file = "/proc/self/fdinfo/" + program.number();
          try {
            programs.put(probe, Fdinfo.parse(files.requiredText(file)));
          } catch (HostReadException e) {
            problems.add(String.valueOf(e.getMessage()));
          } catch (NumberFormatException e) {
            problems.add("read " + file + ": not a number: " + e.getMessage());
          }
        });
    try {
      statisticsEnabled = BpfStatistics.enabled(files).orElse(false);
    } catch (HostReadException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    errors.afterReading(ReadErrors.Kind.PROGRAMS, problems);
  }

  /**
   * The skips read last, each counted once: for the main class of the measurement that owns the
   * program. Classes of which no program was skipped are left out.
   */
  Map<WorkClass, LossCounts> skipsByClass(ProbePlan plan) {
    Map<WorkClass, LossCounts> lost = new EnumMap<>(WorkClass.class);
    programs.forEach(
        (probe, program) -> {
          LossCounts skipped = LossCounts.of(LossReason.PROGRAM_SKIPPED, program.skips());
          if (!skipped.isNone()) {
            plan.ownerOf(probe)
                .map(Measurement::mainClass)
                .ifPresent(workClass -> lost.merge(workClass, skipped, LossCounts::plus));
          }
        });
    return lost;
  }

  /**
   * The costs read last by the program's name, with what it is attached to where several programs
   * share a name. Empty as long as the kernel neither counts nor has counted.
   */
  NavigableMap<String, ProgramRuns> runs() {
    NavigableMap<String, ProgramRuns> runs = new TreeMap<>();
    boolean counted =
        statisticsEnabled
            || programs.values().stream().anyMatch(p -> !p.runs().equals(ProgramRuns.NONE));
    if (counted) {
      programs.forEach((probe, program) -> runs.put(nameOf(probe), program.runs()));
    }
    return runs;
  }

  private String nameOf(Probe probe) {
    long namesakes =
        programs.keySet().stream()
            .filter(other -> other.program().equals(probe.program()))
            .limit(2)
            .count();
    return namesakes == 1
        ? probe.program()
        : probe.program() + ":" + probe.kind().label() + ":" + probe.target();
  }
}
