// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.LayoutField;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbePlan.State;
import io.bhlat.trace.ProbeSet.Part;
import io.bhlat.trace.ProbeSet.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Works out which probes serve what was asked for on one kernel: first what to try, then, from what
 * became of each attempt, the {@link ProbePlan}. Knows no native library.
 */
public final class ProbePlanner {

  private static final String NO_FAST_POOL_WAIT =
      "this kernel mixes the fast pool in the interrupt itself: there is nothing to wait for";

  private static final String NO_FLUSH_BARRIERS =
      "the address of wq_barrier_func is not to be had, so that flush barriers count as starts"
          + " without a queueing: make /proc/kallsyms show addresses (kernel.kptr_restrict at most 1,"
          + " CAP_SYSLOG)";

  private final TraceOptions options;
  private final TraceTarget target;
  private final Map<Measurement, ProbeSet> wanted = new EnumMap<>(Measurement.class);
  private final Map<Measurement, String> impossible = new EnumMap<>(Measurement.class);

  /** Plans for a kernel. */
  public ProbePlanner(TraceOptions options, TraceTarget target) {
    this.options = options;
    this.target = target;
    want(Measurement.SOFTIRQ, Optional.of(ProbeSet.softirq()));
    want(Measurement.TASKLET, Optional.of(ProbeSet.tasklet()));
    want(Measurement.WORKQUEUE, Optional.of(ProbeSet.workqueue()));
    want(Measurement.FAST_POOL, ProbeSet.fastPool(target.mechanism()));
  }

  private void want(Measurement measurement, Optional<ProbeSet> set) {
    if (!options.measurements().contains(measurement)) {
      return;
    }
    Optional<String> obstacle = obstacle(measurement, set);
    if (obstacle.isPresent()) {
      impossible.put(measurement, obstacle.get());
    } else {
      set.ifPresent(probes -> wanted.put(measurement, probes));
    }
  }

  private Optional<String> obstacle(Measurement measurement, Optional<ProbeSet> set) {
    if (measurement == Measurement.FAST_POOL) {
      if (target.mechanism() == FastPoolMechanism.INLINE) {
        return Optional.of(NO_FAST_POOL_WAIT);
      }
      if (!target.mixProblem().isEmpty()) {
        return Optional.of(target.mixProblem());
      }
    }
    return set.flatMap(this::layoutObstacle);
  }

  private Optional<String> layoutObstacle(ProbeSet set) {
    List<LayoutField> needed = set.neededFields();
    if (needed.isEmpty()) {
      return Optional.empty();
    }
    if (target.layout().isEmpty()) {
      return Optional.of(target.layoutProblem());
    }
    KernelLayout layout = target.layout().get();
    return needed.stream()
        .filter(layout.missing()::contains)
        .map(field -> field.struct() + "." + field.member())
        .reduce((first, next) -> first + ", " + next)
        .map(
            fields ->
                "where this kernel keeps "
                    + fields
                    + " is not known ("
                    + layout.source()
                    + "); report it with the output of `bhlat check --verbose`");
  }

  /** The BPF source that holds all programs to try, without the constants of the maps' layout. */
  public BpfSource source(Map<String, String> layoutDefines) {
    Set<String> files = new LinkedHashSet<>(List.of("counting.c"));
    wanted.values().stream()
        .sorted(Comparator.comparingInt(set -> set.files().size()))
        .forEach(set -> files.addAll(set.files()));
    Map<String, String> defines = new LinkedHashMap<>(layoutDefines);
    defines.putAll(BpfDefines.of(options, target));
    return BpfSource.of(List.copyOf(files), defines);
  }

  /** Whether there is anything to try. */
  public boolean isEmpty() {
    return wanted.isEmpty();
  }

  /** The sizes of the maps that {@link #source} declares. */
  public MapSizes sizes() {
    return MapSizes.of(options, target);
  }

  /** Whether work items are traced, so that the maps of workqueue.c exist. */
  public boolean tracesWorkItems() {
    return wanted.values().stream().anyMatch(set -> set.files().contains("workqueue.c"));
  }

  /** Every probe to try, each once, in the order in which to attach. */
  public List<Probe> probes() {
    Set<Probe> probes = new LinkedHashSet<>();
    for (Role role : Role.values()) {
      for (ProbeSet set : wanted.values()) {
        set.parts().stream().filter(p -> p.role() == role).map(Part::probe).forEach(probes::add);
      }
    }
    return List.copyOf(probes);
  }

  /**
   * The plan, once every probe has been tried.
   *
   * @param failureOf why a probe is not attached, with the remedy; empty if it is
   */
  public ProbePlan plan(Function<Probe, Optional<String>> failureOf) {
    List<Planned> planned = new ArrayList<>();
    for (Measurement measurement : Measurement.values()) {
      ProbeSet set = wanted.get(measurement);
      planned.add(set == null ? unserved(measurement) : served(set, failureOf));
    }
    return new ProbePlan(target.mechanism(), planned);
  }

  private Planned unserved(Measurement measurement) {
    String reason = impossible.get(measurement);
    if (reason == null) {
      return new Planned(measurement, State.NOT_REQUESTED, List.of(), false, List.of());
    }
    State state = reason.equals(NO_FAST_POOL_WAIT) ? State.NOT_APPLICABLE : State.MISSING;
    return new Planned(measurement, state, List.of(), false, List.of(reason));
  }

  private Planned served(ProbeSet set, Function<Probe, Optional<String>> failureOf) {
    List<ProbeStatus> statuses = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    boolean missing = false;
    boolean partial = false;
    for (Part part : set.parts()) {
      Optional<String> failure = failureOf.apply(part.probe());
      statuses.add(new ProbeStatus(part.probe(), failure));
      if (failure.isPresent()) {
        missing |= part.isRequired();
        partial = true;
        notes.add(part.costWhenMissing().map(cost -> cost + ": ").orElse("") + failure.get());
      }
    }
    if (!missing) {
      notes.addAll(set.notes());
      if (set.measurement() == Measurement.WORKQUEUE && target.flushBarrierFunction().isEmpty()) {
        notes.add(NO_FLUSH_BARRIERS);
      }
    }
    State state = missing ? State.MISSING : partial ? State.PARTIAL : State.ATTACHED;
    return new Planned(set.measurement(), state, statuses, set.countsQueued(), notes);
  }

  /** The probes that no measurement can use, because another one that it needs is missing. */
  public Set<Probe> useless(Function<Probe, Optional<String>> failureOf) {
    Set<Probe> useless = new LinkedHashSet<>(probes());
    for (ProbeSet set : wanted.values()) {
      boolean usable =
          set.parts().stream()
              .filter(Part::isRequired)
              .allMatch(part -> failureOf.apply(part.probe()).isEmpty());
      if (usable) {
        set.parts().forEach(part -> useless.remove(part.probe()));
      }
    }
    return useless;
  }
}
