// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.kernel.CpuSet;
import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.InterruptKey;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.QueueCallKey;
import io.bhlat.model.Snapshot;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * What one frame of a recording holds: the sparse difference of two snapshots. Lists and maps are
 * ascending, and hold only what grew.
 *
 * @param cpus the CPUs that count
 * @param timedCpus the CPUs whose time in add_interrupt_randomness is told
 * @param byCpu keys that grew on each CPU
 */
record Growth(
    Moment from,
    Moment to,
    CpuSet cpus,
    CpuSet timedCpus,
    NavigableMap<Integer, List<WorkGrowth>> byCpu,
    Map<WorkKey, LossCounts> lostAnywhere,
    Map<WorkClass, LossCounts> lostByClass,
    List<FunctionGrowth> functions,
    NavigableMap<Integer, HistogramGrowth> timeInInterrupt,
    NavigableMap<InterruptKey, InterruptCalls> interrupts,
    NavigableMap<QueueCallKey, Long> queueWorkOn,
    NavigableMap<String, ProgramRuns> programs) {

  long durationNs() {
    return to.ns() - from.ns();
  }

  /** The difference of two snapshots of one source, of which the first is the earlier. */
  static Growth between(Snapshot before, Snapshot now) {
    Counts counted = now.counts();
    CallCounts calls = counted.calls();
    CallCounts callsBefore = before.counts().calls();
    return new Growth(
        new Moment(before.takenAt(), before.takenAtNs()),
        new Moment(now.takenAt(), now.takenAtNs()),
        cpuSet(counted.cpus()),
        cpuSet(calls.timeInInterrupt().keySet()),
        byCpu(before.counts(), counted),
        lostAnywhere(before.counts(), counted),
        lostByClass(before.counts(), counted),
        functions(before.counts(), counted),
        timeInInterrupt(callsBefore, calls),
        grown(
            callsBefore.interrupts(),
            calls.interrupts(),
            InterruptCalls.NONE,
            InterruptCalls::since),
        grown(callsBefore.queueWorkOn(), calls.queueWorkOn(), 0L, (n, b) -> n - b),
        grown(
            before.counts().programs(), counted.programs(), ProgramRuns.NONE, ProgramRuns::since));
  }

  private static CpuSet cpuSet(Set<Integer> cpus) {
    return CpuSet.of(cpus.stream().mapToInt(Integer::intValue).toArray());
  }

  private static NavigableMap<Integer, List<WorkGrowth>> byCpu(Counts before, Counts now) {
    NavigableMap<Integer, List<WorkGrowth>> byCpu = new TreeMap<>();
    for (int cpu : now.cpus()) {
      List<WorkGrowth> grown = new ArrayList<>();
      for (WorkKey key : WorkKey.ALL) {
        WorkCounts counts = now.of(cpu, key);
        WorkCounts countsBefore = before.of(cpu, key);
        if (!counts.equals(countsBefore)) {
          grown.add(WorkGrowth.between(key, countsBefore, counts));
        }
      }
      if (!grown.isEmpty()) {
        byCpu.put(cpu, grown);
      }
    }
    return byCpu;
  }

  private static Map<WorkKey, LossCounts> lostAnywhere(Counts before, Counts now) {
    Map<WorkKey, LossCounts> lost = new TreeMap<>(java.util.Comparator.comparing(WorkKey::index));
    for (WorkKey key : WorkKey.ALL) {
      lost.put(key, now.lostAnywhere(key).since(before.lostAnywhere(key)));
    }
    lost.values().removeIf(LossCounts::isNone);
    return lost;
  }

  private static Map<WorkClass, LossCounts> lostByClass(Counts before, Counts now) {
    Map<WorkClass, LossCounts> lost = new EnumMap<>(WorkClass.class);
    for (WorkClass workClass : WorkClass.values()) {
      lost.put(workClass, now.lostByClass(workClass).since(before.lostByClass(workClass)));
    }
    lost.values().removeIf(LossCounts::isNone);
    return lost;
  }

  private static List<FunctionGrowth> functions(Counts before, Counts now) {
    List<FunctionGrowth> grown = new ArrayList<>();
    now.functions()
        .forEach(
            (FunctionKey key, FunctionCounts counts) -> {
              FunctionCounts earlier = before.functions().getOrDefault(key, FunctionCounts.NONE);
              if (!counts.equals(earlier)) {
                grown.add(
                    new FunctionGrowth(
                        key,
                        WorkGrowth.grown(earlier.queueLatency(), counts.queueLatency()),
                        WorkGrowth.grown(earlier.serviceTime(), counts.serviceTime())));
              }
            });
    return grown;
  }

  private static NavigableMap<Integer, HistogramGrowth> timeInInterrupt(
      CallCounts before, CallCounts now) {
    NavigableMap<Integer, HistogramGrowth> grown = new TreeMap<>();
    now.timeInInterrupt()
        .forEach(
            (cpu, time) ->
                WorkGrowth.grown(
                        before.timeInInterrupt().getOrDefault(cpu, LatencyHistogram.EMPTY), time)
                    .ifPresent(growth -> grown.put(cpu, growth)));
    return grown;
  }

  private static <K, V> NavigableMap<K, V> grown(
      Map<K, V> before, NavigableMap<K, V> now, V none, BinaryOperator<V> since) {
    NavigableMap<K, V> grown = new TreeMap<>();
    now.forEach(
        (key, value) -> {
          V earlier = before.getOrDefault(key, none);
          if (!value.equals(earlier)) {
            grown.put(key, since.apply(value, earlier));
          }
        });
    return grown;
  }
}
