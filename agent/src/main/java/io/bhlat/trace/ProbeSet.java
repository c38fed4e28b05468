// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.LayoutField;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The probes that serve one measurement by raw tracepoints.
 *
 * @param measurement the measurement
 * @param files the BPF sources that hold the programs, beside counting.c
 * @param parts the probes and what each sees
 * @param countsQueued whether every queueing is counted
 * @param notes what is less exact this way
 */
record ProbeSet(
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
   * One probe of a set.
   *
   * @param costWhenMissing what is lost without it; absent if the measurement is lost
   */
  record Part(Role role, Probe probe, Optional<String> costWhenMissing) {

    boolean isRequired() {
      return costWhenMissing.isEmpty();
    }
  }

  ProbeSet {
    files = List.copyOf(files);
    parts = List.copyOf(parts);
    notes = List.copyOf(notes);
  }

  /** The offsets without which a file does not compile; the others it can do without. */
  private static final Map<String, List<LayoutField>> NEEDED_FIELDS =
      Map.of(
          "workqueue.c",
          List.of(LayoutField.WORK_STRUCT_FUNC_OFFSET, LayoutField.WORK_STRUCT_DATA_OFFSET),
          "fast_pool_timer.c",
          List.of(LayoutField.TIMER_LIST_FUNCTION_OFFSET));

  /** The offsets within kernel structs that this set cannot do without. */
  List<LayoutField> neededFields() {
    return files.stream()
        .flatMap(file -> NEEDED_FIELDS.getOrDefault(file, List.of()).stream())
        .toList();
  }

  private static final String SHARED_RAISE =
      "tasklets are timed from the raise of their softirq vector, because functions are not probed:"
          + " several that run in one softirq share its raise, and queueings are not counted";

  static ProbeSet softirq() {
    return new ProbeSet(
        Measurement.SOFTIRQ,
        List.of("softirq.c"),
        List.of(end("softirq_exit"), start("softirq_entry"), queue("softirq_raise")),
        true,
        List.of());
  }

  static ProbeSet tasklet() {
    return taskletsOf(Measurement.TASKLET);
  }

  static ProbeSet workqueue() {
    return workItemsOf(Measurement.WORKQUEUE);
  }

  /** The fast pool by its mechanism; absent where there is nothing to wait for. */
  static Optional<ProbeSet> fastPool(FastPoolMechanism mechanism) {
    return switch (mechanism) {
      case TIMER -> Optional.of(fastPoolByTimer());
      case WORKQUEUE -> Optional.of(workItemsOf(Measurement.FAST_POOL));
      case TASKLET -> Optional.of(taskletsOf(Measurement.FAST_POOL));
      case UNKNOWN -> Optional.of(fastPoolByTimerOrWorkItem());
      case INLINE -> Optional.empty();
    };
  }

  private static ProbeSet fastPoolByTimer() {
    return new ProbeSet(
        Measurement.FAST_POOL,
        List.of("fast_pool_timer.c"),
        List.of(end("timer_expire_exit"), start("timer_expire_entry"), queue("timer_start")),
        true,
        List.of());
  }

  private static ProbeSet fastPoolByTimerOrWorkItem() {
    ProbeSet timer = fastPoolByTimer();
    ProbeSet workItem = workItemsOf(Measurement.FAST_POOL);
    return new ProbeSet(
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

  private static ProbeSet taskletsOf(Measurement measurement) {
    return new ProbeSet(
        measurement,
        List.of("softirq.c", "tasklet.c"),
        List.of(
            end("tasklet_exit"),
            start("tasklet_entry"),
            start("softirq_entry"),
            queue("softirq_raise")),
        false,
        List.of(SHARED_RAISE));
  }

  private static ProbeSet workItemsOf(Measurement measurement) {
    return new ProbeSet(
        measurement,
        List.of("workqueue.c"),
        List.of(
            end("workqueue_execute_end"),
            start("workqueue_execute_start"),
            new Part(
                Role.ACTIVATE,
                rawTracepoint("workqueue_activate_work"),
                Optional.of("the wait for max_active is not told apart")),
            queue("workqueue_queue_work")),
        true,
        List.of());
  }

  private static Part end(String tracepoint) {
    return new Part(
        Role.END, rawTracepoint(tracepoint), Optional.of("service time is not measured"));
  }

  private static Part start(String tracepoint) {
    return new Part(Role.START, rawTracepoint(tracepoint), Optional.empty());
  }

  private static Part queue(String tracepoint) {
    return new Part(Role.QUEUE, rawTracepoint(tracepoint), Optional.empty());
  }

  private static Probe rawTracepoint(String name) {
    return new Probe(ProbeKind.RAW_TRACEPOINT, name, "raw_tracepoint__" + name);
  }
}
