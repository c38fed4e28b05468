// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.LayoutField;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One way to serve a measurement: the probes that it takes.
 *
 * @param name what tells it from the other ways, a phrase
 * @param measurement the measurement
 * @param files the BPF sources that hold the programs, beside counting.c, in order
 * @param parts the probes and what each sees
 * @param countsQueued whether every queueing is counted
 * @param notes what is less exact this way
 */
record ProbeSet(
    String name,
    Measurement measurement,
    List<String> files,
    List<Part> parts,
    boolean countsQueued,
    List<String> notes) {

  /**
   * What a probe sees. Attached in this order, so that nothing is taken for queued whose start
   * could be missed; detached in the opposite one.
   */
  enum Role {
    END,
    START,
    ACTIVATE,
    QUEUE
  }

  /**
   * One thing that a set must see.
   *
   * @param alternatives the probes that see it, the most exact first; one of them is enough
   * @param costWhenMissing what is lost without it; absent if the set is of no use then
   */
  record Part(Role role, List<Probe> alternatives, Optional<String> costWhenMissing) {

    Part {
      alternatives = List.copyOf(alternatives);
    }

    boolean isRequired() {
      return costWhenMissing.isEmpty();
    }
  }

  ProbeSet {
    files = List.copyOf(files);
    parts = parts.stream().sorted(Comparator.comparing(Part::role)).toList();
    notes = List.copyOf(notes);
  }

  /** The offsets without which a file does not compile; the others it can do without. */
  private static final Map<String, List<LayoutField>> NEEDED_FIELDS =
      Map.of(
          "workqueue.c",
          List.of(LayoutField.WORK_STRUCT_FUNC_OFFSET, LayoutField.WORK_STRUCT_DATA_OFFSET),
          "tasklet_by_function.c",
          List.of(LayoutField.TASKLET_STRUCT_FUNC_OFFSET, LayoutField.TASKLET_STRUCT_STATE_OFFSET),
          "tasklet_by_callback.c",
          List.of(LayoutField.TASKLET_STRUCT_DATA_OFFSET),
          "fast_pool_timer.c",
          List.of(LayoutField.TIMER_LIST_FUNCTION_OFFSET));

  /** The offsets within kernel structs that this set cannot do without. */
  List<LayoutField> neededFields() {
    return files.stream()
        .flatMap(file -> NEEDED_FIELDS.getOrDefault(file, List.of()).stream())
        .toList();
  }

  /** The ways to serve a measurement, the most exact first; none where there is nothing to do. */
  static List<ProbeSet> waysTo(Measurement measurement, FastPoolMechanism mechanism) {
    return switch (measurement) {
      case SOFTIRQ -> List.of(softirq());
      case TASKLET -> TaskletWays.of(Measurement.TASKLET);
      case WORKQUEUE -> List.of(workItems(Measurement.WORKQUEUE));
      case FAST_POOL ->
          switch (mechanism) {
            case TIMER -> List.of(fastPoolByTimer());
            case WORKQUEUE -> List.of(workItems(Measurement.FAST_POOL));
            case TASKLET -> TaskletWays.of(Measurement.FAST_POOL);
            case UNKNOWN -> List.of(fastPoolByTimerOrWorkItem());
            case INLINE -> List.of();
          };
    };
  }

  private static ProbeSet softirq() {
    return new ProbeSet(
        "by tracepoints",
        Measurement.SOFTIRQ,
        List.of("softirq.c"),
        List.of(
            end(rawTracepoint("softirq_exit")),
            start(rawTracepoint("softirq_entry")),
            queue(rawTracepoint("softirq_raise"))),
        true,
        List.of());
  }

  private static ProbeSet workItems(Measurement measurement) {
    return new ProbeSet(
        "by tracepoints",
        measurement,
        List.of("pending.c", "workqueue.c"),
        List.of(
            end(rawTracepoint("workqueue_execute_end")),
            start(rawTracepoint("workqueue_execute_start")),
            new Part(
                Role.ACTIVATE,
                List.of(rawTracepoint("workqueue_activate_work")),
                Optional.of("the wait for max_active is not told apart")),
            queue(rawTracepoint("workqueue_queue_work"))),
        true,
        List.of());
  }

  private static ProbeSet fastPoolByTimer() {
    return new ProbeSet(
        "by a timer",
        Measurement.FAST_POOL,
        List.of("fast_pool_timer.c"),
        List.of(
            end(rawTracepoint("timer_expire_exit")),
            start(rawTracepoint("timer_expire_entry")),
            queue(rawTracepoint("timer_start"))),
        true,
        List.of());
  }

  private static ProbeSet fastPoolByTimerOrWorkItem() {
    ProbeSet timer = fastPoolByTimer();
    ProbeSet workItem = workItems(Measurement.FAST_POOL);
    return new ProbeSet(
        "by a timer or a work item",
        Measurement.FAST_POOL,
        concat(timer.files, workItem.files),
        concat(timer.parts, workItem.parts),
        true,
        List.of(
            "the kernel has no BTF that says how it mixes the fast pool: a timer and a work item are"
                + " both watched for"));
  }

  private static <T> List<T> concat(List<T> first, List<T> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  static Part end(Probe... alternatives) {
    return new Part(Role.END, List.of(alternatives), Optional.of("service time is not measured"));
  }

  static Part start(Probe... alternatives) {
    return new Part(Role.START, List.of(alternatives), Optional.empty());
  }

  static Part queue(Probe... alternatives) {
    return new Part(Role.QUEUE, List.of(alternatives), Optional.empty());
  }

  static Probe rawTracepoint(String name) {
    return rawTracepoint(name, "raw_tracepoint__" + name);
  }

  static Probe rawTracepoint(String name, String program) {
    return new Probe(ProbeKind.RAW_TRACEPOINT, name, program);
  }

  /** libbcc calls fentry kfunc, and takes the function from the program's name. */
  static Probe fentry(String function) {
    return new Probe(ProbeKind.FENTRY, function, "kfunc__" + function);
  }

  static Probe kprobe(String function) {
    return new Probe(ProbeKind.KPROBE, function, "kprobe__" + function);
  }
}
