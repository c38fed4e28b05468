// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.LayoutField;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.State;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Works out which probes serve what was asked for on one kernel: first what to try, then, from what
 * became of each attempt, the {@link ProbePlan}. Knows no native library.
 */
public final class ProbePlanner {

  private static final String NO_FAST_POOL_WAIT =
      "this kernel mixes the fast pool in the interrupt itself: there is nothing to wait for, and the"
          + " time that add_interrupt_randomness takes is the measurement";

  /** Each file after those that it uses. */
  static final List<String> SOURCE_ORDER =
      List.of(
          "counting.c",
          "context.c",
          "fast_pool.c",
          "pending.c",
          "softirq.c",
          "tasklet.c",
          "tasklet_by_raise.c",
          "tasklet_by_function.c",
          "tasklet_by_callback.c",
          "workqueue.c",
          "fast_pool_timer.c",
          "interrupt_randomness.c",
          "queue_work_on.c",
          "hotplug.c");

  private static final String NO_FLUSH_BARRIERS =
      "the address of wq_barrier_func is not to be had, so that flush barriers count as starts"
          + " without a queueing: make /proc/kallsyms show addresses (kernel.kptr_restrict at most 1,"
          + " CAP_SYSLOG)";

  private final TraceOptions options;
  private final TraceTarget target;
  private final Map<Measurement, List<ProbeSet>> ways = new EnumMap<>(Measurement.class);
  private final Map<Measurement, List<String>> impossible = new EnumMap<>(Measurement.class);

  /** Plans for a kernel. */
  public ProbePlanner(TraceOptions options, TraceTarget target) {
    this.options = options;
    this.target = target;
    for (Measurement measurement : Measurement.values()) {
      if (options.measurements().contains(measurement)) {
        want(measurement);
      }
    }
  }

  private void want(Measurement measurement) {
    if (measurement == Measurement.FAST_POOL && target.mechanism() == FastPoolMechanism.INLINE) {
      impossible.put(measurement, List.of(NO_FAST_POOL_WAIT));
      return;
    }
    List<ProbeSet> possible = new ArrayList<>();
    for (ProbeSet way : Ways.to(measurement, target.mechanism())) {
      Optional<String> obstacle = layoutObstacle(way).or(() -> symbolObstacle(way));
      if (obstacle.isPresent()) {
        impossible.computeIfAbsent(measurement, key -> new ArrayList<>()).add(obstacle.get());
      } else {
        possible.add(way);
      }
    }
    if (!possible.isEmpty()) {
      ways.put(measurement, possible);
    }
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

  /** Without the calls that the mixing is nested in, it is told by its symbol. */
  private Optional<String> symbolObstacle(ProbeSet set) {
    boolean needsSymbol =
        set.measurement() == Measurement.FAST_POOL
            && !set.files().contains("interrupt_randomness.c");
    return needsSymbol && !target.mixProblem().isEmpty()
        ? Optional.of(target.mixProblem())
        : Optional.empty();
  }

  /** The BPF source that holds all programs to try, with the constants of the maps' layout. */
  public BpfSource source(Map<String, String> layoutDefines) {
    Set<String> needed =
        ways()
            .flatMap(way -> way.allFiles().stream())
            .collect(Collectors.toCollection(HashSet::new));
    needed.add("counting.c");
    Map<String, String> defines = new LinkedHashMap<>(layoutDefines);
    defines.putAll(BpfDefines.of(options, target));
    return BpfSource.of(SOURCE_ORDER.stream().filter(needed::contains).toList(), defines);
  }

  private Stream<ProbeSet> ways() {
    return ways.values().stream().flatMap(List::stream);
  }

  /** The sizes of the maps that {@link #source} declares. */
  public MapSizes sizes() {
    return MapSizes.of(options, target);
  }

  /** Whether the source has this file, and with it its maps. */
  public boolean compiles(String file) {
    return ways().anyMatch(way -> way.allFiles().contains(file));
  }

  /** Attaches and detaches single probes. */
  public interface Attacher {
    /**
     * Attaches a probe.
     *
     * @return why that failed, with the remedy; empty if it is attached
     */
    Optional<String> attach(Probe probe);

    /** Detaches a probe that was attached. */
    void detach(Probe probe);
  }

  /**
   * Tries to attach what was asked for: for each measurement the most exact way that this kernel
   * allows. What fails stops nothing else.
   */
  public ProbePlan attach(Attacher attacher) {
    Attempts attempts = new Attempts(attacher, options.probeKinds());
    Map<Measurement, WayTaken> taken = new EnumMap<>(Measurement.class);
    ways.forEach((measurement, candidates) -> taken.put(measurement, attempts.take(candidates)));
    attempts.detachAllBut(taken.values());
    List<Planned> planned = new ArrayList<>();
    for (Measurement measurement : Measurement.values()) {
      WayTaken way = taken.get(measurement);
      planned.add(way == null ? unserved(measurement) : served(way));
    }
    return new ProbePlan(target.mechanism(), planned);
  }

  private Planned unserved(Measurement measurement) {
    List<String> reasons = obstacles(measurement);
    if (reasons.isEmpty()) {
      return new Planned(measurement, State.NOT_REQUESTED, List.of(), false, List.of());
    }
    State state = reasons.contains(NO_FAST_POOL_WAIT) ? State.NOT_APPLICABLE : State.MISSING;
    return new Planned(measurement, state, List.of(), false, reasons);
  }

  /** Why ways to serve a measurement were not even tried. */
  private List<String> obstacles(Measurement measurement) {
    return impossible.getOrDefault(measurement, List.of()).stream().distinct().toList();
  }

  private Planned served(WayTaken way) {
    List<String> notes = new ArrayList<>(way.losses());
    if (!way.isUsable()) {
      notes.addAll(0, obstacles(way.set().measurement()));
    } else {
      notes.addAll(way.set().notes());
      if (way.set().measurement() == Measurement.WORKQUEUE
          && target.flushBarrierFunction().isEmpty()) {
        notes.add(NO_FLUSH_BARRIERS);
      }
    }
    State state =
        !way.isUsable() ? State.MISSING : way.losses().isEmpty() ? State.ATTACHED : State.PARTIAL;
    return new Planned(
        way.set().measurement(), state, way.statuses(), way.set().countsQueued(), notes);
  }
}
