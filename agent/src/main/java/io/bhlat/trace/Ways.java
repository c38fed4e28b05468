// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.model.FastPoolMechanism;
import io.bhlat.trace.ProbeSet.Part;
import io.bhlat.trace.ProbeSet.Role;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The ways to serve each measurement, the most exact first. */
final class Ways {

  private Ways() {}

  private static final String ANY_HANDLER =
      "functions cannot be probed here: a call of add_interrupt_randomness is taken to follow the last"
          + " handler of each interrupt, and its time is not measured";

  private static final String TRACED_QUEUEINGS =
      "functions cannot be probed here: queueings by other functions count too, and calls that"
          + " found the item pending do not";

  private static final String TWO_MECHANISMS =
      "the kernel has no BTF that says how it mixes the fast pool: a timer and a work item are both"
          + " watched for";

  /** The ways to serve a measurement; none where there is nothing to do. */
  static List<ProbeSet> to(Measurement measurement, FastPoolMechanism mechanism) {
    return switch (measurement) {
      case SOFTIRQ -> List.of(softirq());
      case TASKLET -> TaskletWays.of(Measurement.TASKLET);
      case WORKQUEUE -> List.of(workItems(Measurement.WORKQUEUE));
      case FAST_POOL -> fastPool(mechanism);
      case INTERRUPT_RANDOMNESS -> List.of(randomnessByFunction(), randomnessByHandlers());
      case QUEUE_WORK_ON ->
          List.of(
              queueWorkOn("by fexit", List.of(), queue(fexit("queue_work_on"))),
              queueWorkOn(
                  "by kprobes",
                  List.of(),
                  start(kretprobe("queue_work_on")),
                  queue(kprobe("queue_work_on"))),
              queueWorkOn(
                  "by tracepoints",
                  List.of(TRACED_QUEUEINGS),
                  queue(rawTracepoint("workqueue_queue_work", "queue_work_traced"))));
    };
  }

  private static ProbeSet softirq() {
    return new ProbeSet(
        "by tracepoints",
        Measurement.SOFTIRQ,
        List.of("softirq.c", "hotplug.c"),
        List.of(
            end(rawTracepoint("softirq_exit")),
            start(rawTracepoint("softirq_entry")),
            queue(rawTracepoint("softirq_raise")),
            hotplug("cpuhp_enter"),
            hotplug("cpuhp_exit")),
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

  /**
   * By nesting, whatever mixes; else by the function that is known to mix. The kernel's own
   * mechanism is needed, the others are for live patches that bring another.
   */
  private static List<ProbeSet> fastPool(FastPoolMechanism mechanism) {
    List<ProbeSet> bySymbol =
        switch (mechanism) {
          case TIMER -> List.of(fastPoolByTimer());
          case WORKQUEUE -> List.of(workItems(Measurement.FAST_POOL));
          case TASKLET -> TaskletWays.of(Measurement.FAST_POOL);
          case UNKNOWN ->
              List.of(
                  join(
                      List.of(TWO_MECHANISMS),
                      fastPoolByTimer(),
                      workItems(Measurement.FAST_POOL)));
          case INLINE -> List.of();
        };
    if (bySymbol.isEmpty()) {
      return List.of();
    }
    return concat(
        bySymbol.stream().filter(ProbeSet::countsQueued).map(Ways::byNesting).toList(), bySymbol);
  }

  private static ProbeSet byNesting(ProbeSet own) {
    return new ProbeSet(
        "by what add_interrupt_randomness queues",
        Measurement.FAST_POOL,
        List.of(
            "interrupt_randomness.c",
            "pending.c",
            "workqueue.c",
            "tasklet.c",
            "tasklet_by_function.c",
            "tasklet_by_callback.c",
            "fast_pool_timer.c",
            "hotplug.c"),
        concat(randomnessByFunction().parts(), own.parts()),
        true,
        own.notes(),
        List.of(
            List.of(fastPoolByTimer()),
            List.of(workItems(Measurement.FAST_POOL)),
            TaskletWays.exact(Measurement.FAST_POOL)));
  }

  private static ProbeSet fastPoolByTimer() {
    return new ProbeSet(
        "by a timer",
        Measurement.FAST_POOL,
        List.of("fast_pool_timer.c", "hotplug.c"),
        List.of(
            end(rawTracepoint("timer_expire_exit")),
            start(rawTracepoint("timer_expire_entry")),
            queue(rawTracepoint("timer_start")),
            hotplug("cpuhp_enter"),
            hotplug("cpuhp_exit")),
        true,
        List.of());
  }

  private static ProbeSet randomnessByFunction() {
    return new ProbeSet(
        "by its function",
        Measurement.INTERRUPT_RANDOMNESS,
        List.of("interrupt_randomness.c"),
        List.of(
            new Part(
                Role.END,
                List.of(fexit("add_interrupt_randomness"), kretprobe("add_interrupt_randomness")),
                Optional.empty()),
            queue(fentry("add_interrupt_randomness"), kprobe("add_interrupt_randomness"))),
        false,
        List.of());
  }

  private static ProbeSet randomnessByHandlers() {
    return new ProbeSet(
        "by the handlers of interrupts",
        Measurement.INTERRUPT_RANDOMNESS,
        List.of("interrupt_randomness.c"),
        List.of(queue(rawTracepoint("irq_handler_entry"))),
        false,
        List.of(ANY_HANDLER));
  }

  private static ProbeSet queueWorkOn(String name, List<String> notes, Part... parts) {
    return new ProbeSet(
        name, Measurement.QUEUE_WORK_ON, List.of("queue_work_on.c"), List.of(parts), false, notes);
  }

  private static <T> List<T> concat(List<T> first, List<T> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private static ProbeSet join(List<String> notes, ProbeSet first, ProbeSet second) {
    return new ProbeSet(
        "by a timer or a work item",
        first.measurement(),
        concat(first.files(), second.files()),
        concat(first.parts(), second.parts()),
        first.countsQueued() && second.countsQueued(),
        notes);
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

  private static Part hotplug(String tracepoint) {
    return new Part(
        Role.START,
        List.of(rawTracepoint(tracepoint)),
        Optional.of("what a CPU had raised when it went offline seems to wait until it is back"));
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

  private static Probe fexit(String function) {
    return new Probe(ProbeKind.FEXIT, function, "kretfunc__" + function);
  }

  private static Probe kretprobe(String function) {
    return new Probe(ProbeKind.KRETPROBE, function, "kretprobe__" + function);
  }

  static Probe kprobe(String function) {
    return new Probe(ProbeKind.KPROBE, function, "kprobe__" + function);
  }
}
