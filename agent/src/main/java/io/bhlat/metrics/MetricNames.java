// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.model.LossReason;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Every metric that bhlat exports, but for the agent's own meters ({@link AgentMetrics}). */
public final class MetricNames {

  /** What all names of bhlat start with. */
  public static final String PREFIX = "bhlat_";

  /** What the names of the agent's own meters start with. */
  public static final String AGENT_PREFIX = PREFIX + "agent_";

  static final MetricName QUEUE_LATENCY =
      new MetricName(
          "bhlat_queue_latency_seconds",
          MetricName.Type.HISTOGRAM,
          "Seconds from the queueing of a work item or tasklet to the start of its function, by the"
              + " CPU that ran it.",
          List.of("cpu", "work_class"));

  static final MetricName ACTIVATION_LATENCY =
      new MetricName(
          "bhlat_activation_latency_seconds",
          MetricName.Type.HISTOGRAM,
          "Seconds from the queueing of a work item to its activation, the part of its queue"
              + " latency that it waited for max_active, by CPU.",
          List.of("cpu", "work_class"));

  static final MetricName SERVICE_TIME =
      new MetricName(
          "bhlat_service_time_seconds",
          MetricName.Type.HISTOGRAM,
          "Seconds from the start of a work item, tasklet or fast pool mixing to its end, by the"
              + " CPU that ran it.",
          List.of("cpu", "work_class"));

  static final MetricName FAST_POOL_LATENCY =
      new MetricName(
          "bhlat_fast_pool_latency_seconds",
          MetricName.Type.HISTOGRAM,
          "Seconds from the enqueueing of the fast pool's mixing by add_interrupt_randomness to"
              + " the start of the mixing, by the CPU that mixed, what it was deferred by, and what ran"
              + " it.",
          List.of("cpu", "mechanism", "context"));

  static final MetricName SOFTIRQ_LATENCY =
      new MetricName(
          "bhlat_softirq_latency_seconds",
          MetricName.Type.HISTOGRAM,
          "Seconds from the first raise of a softirq vector since its last entry to the entry of"
              + " its handler, by CPU and what ran it.",
          List.of("cpu", "vector", "context"));

  static final MetricName SOFTIRQ_SERVICE_TIME =
      new MetricName(
          "bhlat_softirq_service_time_seconds",
          MetricName.Type.HISTOGRAM,
          "Seconds from the entry of a softirq vector's handler to its exit, by CPU.",
          List.of("cpu", "vector"));

  static final MetricName FUNCTION_QUEUE_LATENCY =
      new MetricName(
          "bhlat_function_queue_latency_seconds",
          MetricName.Type.HISTOGRAM,
          "Seconds from the queueing of deferred work to the start of its function, by function,"
              + " over all CPUs.",
          List.of("work_class", "function", "workqueue"));

  static final MetricName FUNCTION_SERVICE_TIME =
      new MetricName(
          "bhlat_function_service_time_seconds",
          MetricName.Type.HISTOGRAM,
          "Seconds from the start of a function that runs deferred work to its end, by function,"
              + " over all CPUs.",
          List.of("work_class", "function", "workqueue"));

  static final MetricName QUEUED =
      new MetricName(
          "bhlat_queued_total",
          MetricName.Type.COUNTER,
          "Queueings seen, by the CPU that queued. Over all CPUs, queued = started + pending + lost"
              + " (reasons "
              + reasons(LossReason.Side.QUEUED)
              + ").",
          List.of("cpu", "work_class"));

  static final MetricName STARTED =
      new MetricName(
          "bhlat_started_total",
          MetricName.Type.COUNTER,
          "Starts that were matched with their queueing, by the CPU that ran; each gave one queue"
              + " latency.",
          List.of("cpu", "work_class"));

  static final MetricName PENDING =
      new MetricName(
          "bhlat_pending",
          MetricName.Type.GAUGE,
          "Work queued, and neither started nor lost so far, over all CPUs.",
          List.of("work_class"));

  static final MetricName FLUSH_BARRIERS =
      new MetricName(
          "bhlat_flush_barriers_total",
          MetricName.Type.COUNTER,
          "Runs of workqueue flush barriers, which nothing queues; not among the started, over all"
              + " CPUs.",
          List.of("work_class"));

  static final MetricName LOST_SAMPLES =
      new MetricName(
          "bhlat_lost_samples_total",
          MetricName.Type.COUNTER,
          "Samples lost, over all CPUs. Queued without a latency: "
              + reasons(LossReason.Side.QUEUED)
              + ". Started without one: "
              + reasons(LossReason.Side.STARTED)
              + ". Ended without a service time: "
              + reasons(LossReason.Side.SERVED)
              + ". Times that the kernel did not run a program, whatever came of it: "
              + reasons(LossReason.Side.PROGRAMS)
              + ".",
          List.of("work_class", "reason"));

  static final MetricName INTERRUPT_RANDOMNESS =
      new MetricName(
          "bhlat_interrupt_randomness_total",
          MetricName.Type.COUNTER,
          "Calls of add_interrupt_randomness, by CPU, interrupt, and the device that had it when it"
              + " was read.",
          List.of("cpu", "irq", "device"));

  static final MetricName INTERRUPT_RANDOMNESS_TIME =
      new MetricName(
          "bhlat_interrupt_randomness_seconds",
          MetricName.Type.HISTOGRAM,
          "Seconds from the entry of add_interrupt_randomness to its exit, in the hard interrupt, by"
              + " CPU.",
          List.of("cpu"));

  static final MetricName QUEUE_WORK_ON =
      new MetricName(
          "bhlat_queue_work_on_total",
          MetricName.Type.COUNTER,
          "Calls of queue_work_on, by the CPU that called, the one that it asked for (same_cpu,"
              + " other_cpu, unbound) and the result (queued, already_pending).",
          List.of("cpu", "request", "result"));

  static final MetricName PROBE_ATTACHED =
      new MetricName(
          "bhlat_probe_attached",
          MetricName.Type.GAUGE,
          "Whether a probe that a measurement wants is attached (1) or not (0).",
          List.of("measurement", "probe", "kind"));

  static final MetricName KERNEL_INFO =
      new MetricName(
          "bhlat_kernel_info",
          MetricName.Type.INFO,
          "The kernel that is measured, and how it defers the mixing of its fast pool.",
          List.of("release", "version", "preempt_rt", "fast_pool_mechanism"));

  static final MetricName BUILD_INFO =
      new MetricName(
          "bhlat_build_info", MetricName.Type.INFO, "The version of bhlat.", List.of("version"));

  static final MetricName HOST_INFO =
      new MetricName(
          "bhlat_host_info",
          MetricName.Type.INFO,
          "The labels that the operator gave this host in the configuration file.",
          List.of());

  static final MetricName COLLECTOR_SUCCESS =
      new MetricName(
          "bhlat_collector_success",
          MetricName.Type.GAUGE,
          "Whether a collector gave its metrics for this scrape (1) or failed (0); the log says"
              + " why.",
          List.of("collector"));

  static final MetricName COLLECTOR_DURATION =
      new MetricName(
          "bhlat_collector_duration_seconds",
          MetricName.Type.GAUGE,
          "Seconds from the start of a collector to its end, for this scrape.",
          List.of("collector"));

  private static final List<MetricName> ALL =
      List.of(
          QUEUE_LATENCY,
          ACTIVATION_LATENCY,
          SERVICE_TIME,
          FAST_POOL_LATENCY,
          SOFTIRQ_LATENCY,
          SOFTIRQ_SERVICE_TIME,
          FUNCTION_QUEUE_LATENCY,
          FUNCTION_SERVICE_TIME,
          QUEUED,
          STARTED,
          PENDING,
          FLUSH_BARRIERS,
          LOST_SAMPLES,
          INTERRUPT_RANDOMNESS,
          INTERRUPT_RANDOMNESS_TIME,
          QUEUE_WORK_ON,
          PROBE_ATTACHED,
          KERNEL_INFO,
          BUILD_INFO,
          HOST_INFO,
          COLLECTOR_SUCCESS,
          COLLECTOR_DURATION);

  private MetricNames() {}

  private static String reasons(LossReason.Side side) {
    return Arrays.stream(LossReason.values())
        .filter(reason -> reason.side() == side)
        .map(LossReason::label)
        .collect(Collectors.joining(", "));
  }

  /** All of them, in the order of the documentation. */
  public static List<MetricName> all() {
    return ALL;
  }
}
