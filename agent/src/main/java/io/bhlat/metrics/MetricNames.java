// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static io.bhlat.metrics.MetricName.Type.COUNTER;
import static io.bhlat.metrics.MetricName.Type.GAUGE;
import static io.bhlat.metrics.MetricName.Type.HISTOGRAM;
import static io.bhlat.metrics.MetricName.Type.INFO;

import io.bhlat.model.LossReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Every metric that bhlat exports, but for the agent's own meters ({@link AgentMetrics}). */
public final class MetricNames {

  /** What all names of bhlat start with. */
  public static final String PREFIX = "bhlat_";

  /** What the names of the agent's own meters start with. */
  public static final String AGENT_PREFIX = PREFIX + "agent_";

  private static final List<MetricName> DECLARED = new ArrayList<>();

  static final MetricName QUEUE_LATENCY =
      declare(
          HISTOGRAM,
          "bhlat_queue_latency_seconds",
          "Seconds from the queueing of a work item or tasklet to the start of its function, by the"
              + " CPU that ran it.",
          List.of("cpu", "work_class"));

  static final MetricName ACTIVATION_LATENCY =
      declare(
          HISTOGRAM,
          "bhlat_activation_latency_seconds",
          "Seconds from the queueing of a work item to its activation, the part of its queue"
              + " latency that it waited for max_active, by CPU.",
          List.of("cpu", "work_class"));

  static final MetricName SERVICE_TIME =
      declare(
          HISTOGRAM,
          "bhlat_service_time_seconds",
          "Seconds from the start of a work item, tasklet or fast pool mixing to its end, by the"
              + " CPU that ran it.",
          List.of("cpu", "work_class"));

  static final MetricName FAST_POOL_LATENCY =
      declare(
          HISTOGRAM,
          "bhlat_fast_pool_latency_seconds",
          "Seconds from the enqueueing of the fast pool's mixing by add_interrupt_randomness to"
              + " the start of the mixing, by the CPU that mixed, what it was deferred by, and what ran"
              + " it.",
          List.of("cpu", "mechanism", "context"));

  static final MetricName SOFTIRQ_LATENCY =
      declare(
          HISTOGRAM,
          "bhlat_softirq_latency_seconds",
          "Seconds from the first raise of a softirq vector since its last entry to the entry of"
              + " its handler, by CPU and what ran it.",
          List.of("cpu", "vector", "context"));

  static final MetricName SOFTIRQ_SERVICE_TIME =
      declare(
          HISTOGRAM,
          "bhlat_softirq_service_time_seconds",
          "Seconds from the entry of a softirq vector's handler to its exit, by CPU.",
          List.of("cpu", "vector"));

  static final MetricName FUNCTION_QUEUE_LATENCY =
      declare(
          HISTOGRAM,
          "bhlat_function_queue_latency_seconds",
          "Seconds from the queueing of deferred work to the start of its function, by function,"
              + " over all CPUs.",
          List.of("work_class", "function", "workqueue"));

  static final MetricName FUNCTION_SERVICE_TIME =
      declare(
          HISTOGRAM,
          "bhlat_function_service_time_seconds",
          "Seconds from the start of a function that runs deferred work to its end, by function,"
              + " over all CPUs.",
          List.of("work_class", "function", "workqueue"));

  static final MetricName QUEUED =
      declare(
          COUNTER,
          "bhlat_queued_total",
          "Queueings seen, by the CPU that queued. Over all CPUs, queued = started + pending + lost"
              + " (reasons "
              + reasons(LossReason.Side.QUEUED)
              + ").",
          List.of("cpu", "work_class"));

  static final MetricName STARTED =
      declare(
          COUNTER,
          "bhlat_started_total",
          "Starts matched with their queueing, by the CPU that ran; each gave a queue latency.",
          List.of("cpu", "work_class"));

  static final MetricName PENDING =
      declare(
          GAUGE,
          "bhlat_pending",
          "Work queued, and neither started nor lost so far, over all CPUs.",
          List.of("work_class"));

  static final MetricName FLUSH_BARRIERS =
      declare(
          COUNTER,
          "bhlat_flush_barriers_total",
          "Runs of workqueue flush barriers, which nothing queues; in no other count.",
          List.of("work_class"));

  static final MetricName LOST_SAMPLES =
      declare(
          COUNTER,
          "bhlat_lost_samples_total",
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
      declare(
          COUNTER,
          "bhlat_interrupt_randomness_total",
          "Calls of add_interrupt_randomness, by CPU, interrupt, and the device that had it when it"
              + " was read.",
          List.of("cpu", "irq", "device"));

  static final MetricName INTERRUPT_RANDOMNESS_TIME =
      declare(
          HISTOGRAM,
          "bhlat_interrupt_randomness_seconds",
          "Seconds from the entry of add_interrupt_randomness to its exit, in the hard interrupt, by"
              + " CPU.",
          List.of("cpu"));

  static final MetricName QUEUE_WORK_ON =
      declare(
          COUNTER,
          "bhlat_queue_work_on_total",
          "Calls of queue_work_on, by the CPU that called, the one that it asked for (same_cpu,"
              + " other_cpu, unbound) and the result (queued, already_pending).",
          List.of("cpu", "request", "result"));

  static final MetricName PROBE_ATTACHED =
      declare(
          GAUGE,
          "bhlat_probe_attached",
          "Whether a probe that a measurement wants is attached (1) or not (0).",
          List.of("measurement", "probe", "kind"));

  static final MetricName PROGRAM_RUN_TIME =
      declare(
          COUNTER,
          "bhlat_program_run_seconds_total",
          "Seconds that the kernel spent running a BPF program of bhlat's, while it counts them.",
          List.of("program"));

  static final MetricName PROGRAM_RUNS =
      declare(
          COUNTER,
          "bhlat_program_runs_total",
          "Runs of a BPF program of bhlat's, while the kernel counts them.",
          List.of("program"));

  static final MetricName PROGRAM_STATISTICS_ENABLED =
      declare(
          GAUGE,
          "bhlat_program_statistics_enabled",
          "Whether the kernel counts runs of BPF programs (sysctl kernel.bpf_stats_enabled=1).",
          List.of());

  static final MetricName INFINIBAND_PORT_INFO =
      declare(
          INFO,
          "bhlat_infiniband_port_info",
          "What a port of an InfiniBand or RoCE adapter is; an empty label is not known.",
          List.of(
              "adapter",
              "port",
              "link_layer",
              "net_devices",
              "model",
              "board",
              "firmware",
              "pci_address",
              "numa_node"));

  static final MetricName INFINIBAND_PORT_UP =
      declare(
          GAUGE,
          "bhlat_infiniband_port_up",
          "Whether the logical state of a port is ACTIVE (1) or another one (0).",
          List.of("adapter", "port"));

  static final MetricName INFINIBAND_PORT_STATE =
      declare(
          GAUGE,
          "bhlat_infiniband_port_state",
          "Logical state of a port: 1 DOWN, 2 INIT, 3 ARMED, 4 ACTIVE, 5 ACTIVE_DEFER.",
          List.of("adapter", "port"));

  static final MetricName INFINIBAND_PORT_PHYSICAL_STATE =
      declare(
          GAUGE,
          "bhlat_infiniband_port_physical_state",
          "State of a port's link: 1 Sleep, 2 Polling, 3 Disabled, 4 PortConfigurationTraining,"
              + " 5 LinkUp, 6 LinkErrorRecovery, 7 Phy Test.",
          List.of("adapter", "port"));

  static final MetricName INFINIBAND_PORT_RATE =
      declare(
          GAUGE,
          "bhlat_infiniband_port_rate_bytes_per_second",
          "Signalling rate of a port, all lanes together.",
          List.of("adapter", "port"));

  static final MetricName INFINIBAND_INTERRUPT_INFO =
      declare(
          INFO,
          "bhlat_infiniband_interrupt_info",
          "Which adapter has an interrupt.",
          List.of("adapter", "irq", "device"));

  static final MetricName INFINIBAND_INTERRUPT_AFFINITY =
      declare(
          GAUGE,
          "bhlat_infiniband_interrupt_affinity",
          "1 for each CPU that an adapter's interrupt goes to now, its effective affinity.",
          List.of("adapter", "irq", "cpu"));

  static final MetricName HOST_READ_ERRORS =
      declare(
          COUNTER,
          "bhlat_host_read_errors_total",
          "Failed readings of files of procfs and sysfs; the log names the file and the error.",
          List.of("files"));

  static final MetricName KERNEL_INFO =
      declare(
          INFO,
          "bhlat_kernel_info",
          "The kernel that is measured, and how it defers the mixing of its fast pool.",
          List.of("release", "version", "preempt_rt", "fast_pool_mechanism"));

  static final MetricName BOOT_TIME =
      declare(
          GAUGE,
          "bhlat_boot_time_seconds",
          "When the host booted, in seconds since 1970, as it was when bhlat started.",
          List.of());

  static final MetricName BUILD_INFO =
      declare(INFO, "bhlat_build_info", "The version of bhlat.", List.of("version"));

  static final MetricName HOST_INFO =
      declare(
          INFO,
          "bhlat_host_info",
          "The labels that the operator gave this host in the configuration file.",
          List.of());

  static final MetricName COLLECTOR_SUCCESS =
      declare(
          GAUGE,
          "bhlat_collector_success",
          "Whether a collector gave its metrics for this scrape; the log says why not.",
          List.of("collector"));

  static final MetricName COLLECTOR_DURATION =
      declare(
          GAUGE,
          "bhlat_collector_duration_seconds",
          "Seconds from the start of a collector to its end, for this scrape.",
          List.of("collector"));

  private MetricNames() {}

  private static String reasons(LossReason.Side side) {
    return Arrays.stream(LossReason.values())
        .filter(reason -> reason.side() == side)
        .map(LossReason::label)
        .collect(Collectors.joining(", "));
  }

  /** All of them, in the order of the documentation. */
  public static List<MetricName> all() {
    return Collections.unmodifiableList(DECLARED);
  }

  private static MetricName declare(
      MetricName.Type type, String name, String help, List<String> labels) {
    MetricName declared = new MetricName(name, type, help, labels);
    DECLARED.add(declared);
    return declared;
  }
}
