// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import static io.bhlat.trace.Ways.end;
import static io.bhlat.trace.Ways.fentry;
import static io.bhlat.trace.Ways.kprobe;
import static io.bhlat.trace.Ways.queue;
import static io.bhlat.trace.Ways.rawTracepoint;
import static io.bhlat.trace.Ways.start;

import io.bhlat.trace.ProbeSet.Part;
import io.bhlat.trace.ProbeSet.Role;
import java.util.List;
import java.util.Optional;

/** The ways to see tasklets, which differ most between kernels. */
final class TaskletWays {

  private static final String FOUND_CALLBACKS =
      "this kernel does not say when a tasklet starts, so that the functions that tasklets run are"
          + " probed, each when it is found: until then, up to a quarter of a second, what is queued"
          + " for it is lost as start_missed";

  private static final String SHARED_RAISE =
      "tasklets are timed from the raise of their softirq vector, because functions cannot be probed"
          + " here: several that run in one softirq share its raise, and queueings are not counted";

  private TaskletWays() {}

  /** The most exact first. */
  static List<ProbeSet> of(Measurement measurement) {
    return List.of(byFunction(measurement), byCallback(measurement), byRaise(measurement));
  }

  /** Those that see each tasklet queued. */
  static List<ProbeSet> exact(Measurement measurement) {
    return List.of(byFunction(measurement), byCallback(measurement));
  }

  private static ProbeSet byFunction(Measurement measurement) {
    return new ProbeSet(
        "by the kernel's own start of tasklets",
        measurement,
        List.of("pending.c", "tasklet.c", "tasklet_by_function.c"),
        List.of(
            end(rawTracepoint("tasklet_exit")),
            start(
                rawTracepoint("tasklet_entry", "tasklet_entry_after_schedule"),
                fentry("tasklet_clear_sched"),
                kprobe("tasklet_clear_sched")),
            queue(fentry("__tasklet_schedule"), kprobe("__tasklet_schedule")),
            queue(fentry("__tasklet_hi_schedule"), kprobe("__tasklet_hi_schedule"))),
        true,
        List.of());
  }

  private static ProbeSet byCallback(Measurement measurement) {
    return new ProbeSet(
        "by the functions that tasklets run",
        measurement,
        List.of("pending.c", "tasklet.c", "tasklet_by_function.c", "tasklet_by_callback.c"),
        List.of(
            end(new Probe(ProbeKind.KRETPROBE, Probe.CALLBACKS, "kretprobe_tasklet_callback")),
            start(new Probe(ProbeKind.KPROBE, Probe.CALLBACKS, "kprobe_tasklet_callback")),
            new Part(
                Role.START,
                List.of(rawTracepoint("module_free", "module_free_for_callbacks")),
                Optional.of(
                    "tasklets of a module that is loaded where another was unloaded are not seen to"
                        + " start")),
            queueForCallbacks("__tasklet_schedule", "tasklet_schedule"),
            queueForCallbacks("__tasklet_hi_schedule", "tasklet_hi_schedule")),
        true,
        List.of(FOUND_CALLBACKS));
  }

  private static Part queueForCallbacks(String function, String program) {
    return queue(
        new Probe(ProbeKind.FENTRY, function, "fentry_" + program),
        new Probe(ProbeKind.KPROBE, function, "kprobe_" + program));
  }

  private static ProbeSet byRaise(Measurement measurement) {
    return new ProbeSet(
        "by the raise of their vector",
        measurement,
        List.of("softirq.c", "tasklet.c", "tasklet_by_raise.c"),
        List.of(
            end(rawTracepoint("tasklet_exit")),
            start(rawTracepoint("tasklet_entry", "tasklet_entry_after_raise")),
            start(rawTracepoint("softirq_entry")),
            queue(rawTracepoint("softirq_raise"))),
        false,
        List.of(SHARED_RAISE));
  }
}
