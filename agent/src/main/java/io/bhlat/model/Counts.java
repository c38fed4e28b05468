// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Everything counted on one host: per CPU and {@link WorkKey}, and per function. Immutable. A
 * {@link Snapshot} holds the counts since attaching, an {@link Interval} those of a span.
 */
public final class Counts {

  private final NavigableMap<Integer, List<WorkCounts>> byCpu;
  private final Map<WorkKey, LossCounts> lostAnywhere;
  private final Map<WorkClass, LossCounts> lostByClass;
  private final NavigableMap<FunctionKey, FunctionCounts> functions;
  private final CallCounts calls;
  private final NavigableMap<String, ProgramRuns> programs;

  /**
   * Copies its arguments.
   *
   * @param byCpu for each CPU number one {@link WorkCounts} a key, in the order of {@link
   *     WorkKey#ALL}
   * @param lostAnywhere losses that cannot be told by CPU, such as stamps that aged out
   * @param functions counts by function
   * @param calls calls of the functions that queue
   */
  public Counts(
      Map<Integer, List<WorkCounts>> byCpu,
      Map<WorkKey, LossCounts> lostAnywhere,
      Map<FunctionKey, FunctionCounts> functions,
      CallCounts calls) {
    this(byCpu, lostAnywhere, Map.of(), functions, calls, Map.of());
  }

  private Counts(
      Map<Integer, List<WorkCounts>> byCpu,
      Map<WorkKey, LossCounts> lostAnywhere,
      Map<WorkClass, LossCounts> lostByClass,
      Map<FunctionKey, FunctionCounts> functions,
      CallCounts calls,
      Map<String, ProgramRuns> programs) {
    TreeMap<Integer, List<WorkCounts>> cpus = new TreeMap<>();
    byCpu.forEach(
        (cpu, counts) -> {
          if (counts.size() != WorkKey.ALL.size()) {
            throw new IllegalArgumentException("CPU " + cpu + ": " + counts.size() + " keys");
          }
          cpus.put(cpu, List.copyOf(counts));
        });
    this.byCpu = Collections.unmodifiableNavigableMap(cpus);
    this.lostAnywhere = Map.copyOf(lostAnywhere);
    this.lostByClass = Map.copyOf(lostByClass);
    this.functions = Collections.unmodifiableNavigableMap(new TreeMap<>(functions));
    this.calls = calls;
    this.programs = Collections.unmodifiableNavigableMap(new TreeMap<>(programs));
  }

  /** The CPUs that counted, ascending. */
  public NavigableSet<Integer> cpus() {
    return byCpu.navigableKeySet();
  }

  /** The counts of one CPU; {@link WorkCounts#NONE} for a CPU that is not among {@link #cpus}. */
  public WorkCounts of(int cpu, WorkKey key) {
    List<WorkCounts> counts = byCpu.get(cpu);
    return counts == null ? WorkCounts.NONE : counts.get(key.index());
  }

  /** The counts of a key over all CPUs, with the losses that cannot be told by CPU. */
  public WorkCounts total(WorkKey key) {
    WorkCounts total = WorkCounts.NONE;
    for (List<WorkCounts> counts : byCpu.values()) {
      total = total.plus(counts.get(key.index()));
    }
    return total.withLost(lostAnywhere(key));
  }

  /**
   * The counts of a class over all CPUs, with the losses that cannot be told by key; for softirq,
   * over all vectors too.
   */
  public WorkCounts total(WorkClass workClass) {
    return WorkKey.ALL.stream()
        .filter(key -> key.workClass() == workClass)
        .map(this::total)
        .reduce(WorkCounts.NONE, WorkCounts::plus)
        .withLost(lostByClass(workClass));
  }

  /** Losses of a key that cannot be told by CPU. */
  public LossCounts lostAnywhere(WorkKey key) {
    return lostAnywhere.getOrDefault(key, LossCounts.NONE);
  }

  /** The counts of one CPU in the order of {@link WorkKey#ALL}; empty as for {@link #of}. */
  public List<WorkCounts> ofCpu(int cpu) {
    return byCpu.getOrDefault(cpu, List.of());
  }

  /** Losses of a class that cannot be told by key either; not in the total of any key. */
  public LossCounts lostByClass(WorkClass workClass) {
    return lostByClass.getOrDefault(workClass, LossCounts.NONE);
  }

  /** Counts by function, in the order of the keys. Not modifiable. */
  public NavigableMap<FunctionKey, FunctionCounts> functions() {
    return functions;
  }

  /** Calls of the functions that queue; none where they are not probed. */
  public CallCounts calls() {
    return calls;
  }

  /**
   * What our own programs cost, by name; none while the kernel does not count it
   * (kernel.bpf_stats_enabled). Not modifiable.
   */
  public NavigableMap<String, ProgramRuns> programs() {
    return programs;
  }

  /**
   * What was counted since an earlier state of the same source. CPUs and functions that the earlier
   * state lacks are new; ones that are gone, and functions that counted nothing, are left out.
   *
   * @throws IllegalArgumentException if a count of the earlier state is larger
   */
  Counts since(Counts earlier) {
    Map<Integer, List<WorkCounts>> cpus = new TreeMap<>();
    byCpu.forEach(
        (cpu, counts) ->
            cpus.put(cpu, mapKeys(key -> counts.get(key.index()).since(earlier.of(cpu, key)))));
    Map<WorkKey, LossCounts> lost = new TreeMap<>(java.util.Comparator.comparing(WorkKey::index));
    lostAnywhere.forEach((key, counts) -> lost.put(key, counts.since(earlier.lostAnywhere(key))));
    lost.values().removeIf(LossCounts::isNone);
    Map<WorkClass, LossCounts> ofClasses = new TreeMap<>();
    lostByClass.forEach(
        (key, counts) -> ofClasses.put(key, counts.since(earlier.lostByClass(key))));
    ofClasses.values().removeIf(LossCounts::isNone);
    Map<FunctionKey, FunctionCounts> grown = new TreeMap<>();
    functions.forEach(
        (key, counts) ->
            grown.put(key, counts.since(earlier.functions.getOrDefault(key, FunctionCounts.NONE))));
    grown.values().removeIf(FunctionCounts.NONE::equals);
    Map<String, ProgramRuns> ran = new TreeMap<>();
    programs.forEach(
        (name, runs) ->
            ran.put(name, runs.since(earlier.programs.getOrDefault(name, ProgramRuns.NONE))));
    ran.values().removeIf(ProgramRuns.NONE::equals);
    return new Counts(cpus, lost, ofClasses, grown, calls.since(earlier.calls), ran);
  }

  /** The same with the counts by function replaced. */
  public Counts withFunctions(UnaryOperator<NavigableMap<FunctionKey, FunctionCounts>> change) {
    return new Counts(byCpu, lostAnywhere, lostByClass, change.apply(functions), calls, programs);
  }

  /** The same with the losses that are told by class only replaced. */
  public Counts withLostByClass(Map<WorkClass, LossCounts> lost) {
    return new Counts(byCpu, lostAnywhere, lost, functions, calls, programs);
  }

  /** The same with the cost of our own programs replaced. */
  public Counts withPrograms(Map<String, ProgramRuns> runs) {
    return new Counts(byCpu, lostAnywhere, lostByClass, functions, calls, runs);
  }

  private static List<WorkCounts> mapKeys(java.util.function.Function<WorkKey, WorkCounts> map) {
    return WorkKey.ALL.stream().map(map).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Counts that
        && byCpu.equals(that.byCpu)
        && lostAnywhere.equals(that.lostAnywhere)
        && lostByClass.equals(that.lostByClass)
        && functions.equals(that.functions)
        && calls.equals(that.calls)
        && programs.equals(that.programs);
  }

  @Override
  public int hashCode() {
    return Objects.hash(byCpu, lostAnywhere, lostByClass, functions, calls, programs);
  }
}
