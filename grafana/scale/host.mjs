// SPDX-License-Identifier: Apache-2.0
//
// A made-up host: every family that the daemon exports, for any number of CPUs. Its latencies change at
// a time that is given, as by a bad patch; then it also reboots into another kernel.

import { chance } from './fleet.mjs';
import { histogram } from './histogram.mjs';

const VECTORS = {
  HI: [0.3, 2e-6], TIMER: [100, 12e-6], NET_TX: [5, 1e-6], NET_RX: [400, 2e-6],
  BLOCK: [40, 3e-6], TASKLET: [20, 4e-6], SCHED: [120, 14e-6], RCU: [90, 16e-6],
};
const CONTEXTS = { irq_exit: [0.97, 1], ksoftirqd: [0.03, 60] };
const CLASSES = { workqueue: [60, 15e-6], tasklet: [20, 4e-6] };
const MIXING = { workqueue: [0.9, 90e-6], tasklet: [0.9, 6e-6], timer: [0.9, 2.2e-3] };
const REASONS = ['pending_full', 'pending_busy', 'cancelled', 'aged_out', 'start_missed', 'negative_delta', 'no_queue_seen', 'running_full', 'no_start_seen', 'program_skipped'];
const ALL_CLASSES = ['fast_pool', 'workqueue', 'bh_workqueue', 'hi_tasklet', 'tasklet', 'softirq'];
const PROBES = [['workqueue', 'workqueue_queue_work', 'fentry'], ['workqueue', 'workqueue_execute_start', 'raw_tracepoint'], ['softirq', 'softirq_raise', 'raw_tracepoint'], ['softirq', 'softirq_entry', 'raw_tracepoint'], ['tasklet', 'tasklet_entry', 'raw_tracepoint']];

/**
 * The families of a host at a time.
 *
 * @param host {name, cpus, functions, release, mechanism, adapter, start, changeAt, changed: {release,
 *   mechanism, factor}, missing, losing}, times in seconds; changeAt may be Infinity
 */
export function families(host, now) {
  const before = Math.max(0, Math.min(now, host.changeAt) - host.start);
  const after = Math.max(0, now - host.changeAt);
  const changed = after > 0 ? host.changed : {};
  const { release, mechanism } = { ...host, ...changed };
  const factor = host.changed?.factor ?? 1;
  const cpus = Array.from({ length: host.cpus }, (_, index) => String(index));
  const all = [];
  const add = (name, type, metrics) => all.push({ name, type, help: name, metric: metrics });
  const busy = (cpu) => 0.5 + chance(`${host.name} ${cpu}`);

  // An adapter's interrupts go to the first eight CPUs; a change makes those late, and them only.
  const late = (cpu) => (host.adapter && Number(cpu) >= 8 ? 1 : factor);
  const latencies = (cpu, rate, median, sigma) => ({
    histogram: histogram([[before, rate * busy(cpu), { median, sigma }], [after, rate * busy(cpu), { median: median * late(cpu), sigma }]]),
  });
  const counted = (value) => ({ counter: { value: Math.floor(value) } });
  const gauge = (value) => ({ gauge: { value } });
  const each = (keys, make) => keys.flatMap((key) => make(key));
  const labelled = (labels, value) => ({ label: Object.entries(labels).map(([name, text]) => ({ name, value: text })), ...value });
  const seconds = before + after;

  add('bhlat_queue_latency_seconds', 'HISTOGRAM', each(cpus, (cpu) => Object.entries(CLASSES).map(([work_class, [rate, median]]) =>
    labelled({ cpu, work_class }, latencies(cpu, rate, median, 1.1)))));
  add('bhlat_activation_latency_seconds', 'HISTOGRAM', cpus.map((cpu) => labelled({ cpu, work_class: 'workqueue' }, latencies(cpu, 2, 3e-6, 0.8))));
  add('bhlat_service_time_seconds', 'HISTOGRAM', each(cpus, (cpu) => ['workqueue', 'tasklet', 'fast_pool'].map((work_class) =>
    labelled({ cpu, work_class }, latencies(cpu, 20, 5e-6, 0.9)))));
  // A series belongs to one mechanism: the one before a change stops, the one after it begins.
  const mixing = (cpu, of, from) => Object.keys(CONTEXTS).map((context) => {
    const [rate, median] = MIXING[of];
    return labelled({ cpu, mechanism: of, context }, { histogram: histogram([[from, rate * CONTEXTS[context][0] * 10, { median, sigma: 0.8 }]]) });
  });
  add('bhlat_fast_pool_latency_seconds', 'HISTOGRAM', each(cpus, (cpu) =>
    host.mechanism === mechanism ? mixing(cpu, mechanism, seconds) : mixing(cpu, mechanism, after)));
  add('bhlat_softirq_latency_seconds', 'HISTOGRAM', each(cpus, (cpu) => each(Object.entries(VECTORS), ([vector, [rate, median]]) =>
    Object.entries(CONTEXTS).map(([context, [share, slower]]) => labelled({ cpu, vector, context }, latencies(cpu, rate * share, median * slower, 0.7))))));
  add('bhlat_softirq_service_time_seconds', 'HISTOGRAM', each(cpus, (cpu) => Object.entries(VECTORS).map(([vector, [rate]]) =>
    labelled({ cpu, vector }, { histogram: histogram([[seconds, rate * busy(cpu), { median: 6e-6, sigma: 0.9 }]]) }))));

  const functions = Array.from({ length: host.functions }, (_, index) => ({ work_class: 'workqueue', function: `work_function_${index}`, workqueue: index % 3 ? 'events' : 'events_unbound' }));
  add('bhlat_function_queue_latency_seconds', 'HISTOGRAM', functions.map((labels, index) => labelled(labels, latencies('0', 200 / (index + 1), 15e-6 * (1 + chance(labels.function) * 4), 1))));
  add('bhlat_function_service_time_seconds', 'HISTOGRAM', functions.map((labels, index) => labelled(labels, latencies('0', 200 / (index + 1), 5e-6, 1))));

  const queued = { workqueue: 60, tasklet: 20, softirq: 775, fast_pool: 9 };
  for (const name of ['bhlat_queued_total', 'bhlat_started_total']) {
    add(name, 'COUNTER', each(cpus, (cpu) => Object.entries(queued).map(([work_class, rate]) => labelled({ cpu, work_class }, counted(rate * busy(cpu) * seconds)))));
  }
  add('bhlat_pending', 'GAUGE', Object.keys(queued).map((work_class) => labelled({ work_class }, gauge(Math.floor(5 * chance(`${host.name} ${work_class} ${Math.floor(now / 15)}`))))));
  add('bhlat_flush_barriers_total', 'COUNTER', ['workqueue', 'bh_workqueue'].map((work_class) => labelled({ work_class }, counted(seconds / 10))));
  add('bhlat_lost_samples_total', 'COUNTER', each(ALL_CLASSES, (work_class) => REASONS.map((reason) =>
    labelled({ work_class, reason }, counted(work_class === 'workqueue' ? (reason === 'cancelled' ? seconds : reason === 'pending_full' && host.losing ? seconds * 20 : 0) : 0)))));

  const interrupts = Array.from({ length: Math.min(host.cpus, 8) }, (_, index) => ({ irq: String(100 + index), device: host.adapter ? `${host.adapter}-${index}` : `eth0-rx-${index}` }));
  add('bhlat_interrupt_randomness_total', 'COUNTER', interrupts.map((labels, index) => labelled({ cpu: String(index), ...labels }, counted(900 * busy(String(index)) * seconds))));
  add('bhlat_interrupt_randomness_seconds', 'HISTOGRAM', cpus.map((cpu) => labelled({ cpu }, { histogram: histogram([[seconds, 900, { median: 2e-7, sigma: 0.3 }]]) })));
  add('bhlat_queue_work_on_total', 'COUNTER', each(cpus, (cpu) => ['same_cpu', 'unbound'].map((request) => labelled({ cpu, request, result: 'queued' }, counted(30 * seconds)))));
  add('bhlat_probe_attached', 'GAUGE', PROBES.map(([measurement, probe, kind]) => labelled({ measurement, probe, kind }, gauge(host.missing && probe === 'tasklet_entry' ? 0 : 1))));

  const programs = ['workqueue_queue_work', 'workqueue_execute_start', 'softirq_raise', 'softirq_entry'];
  add('bhlat_program_run_seconds_total', 'COUNTER', programs.map((program) => labelled({ program }, { counter: { value: seconds * 775 * host.cpus * 9e-8 } })));
  add('bhlat_program_runs_total', 'COUNTER', programs.map((program) => labelled({ program }, counted(seconds * 775 * host.cpus))));
  add('bhlat_program_statistics_enabled', 'GAUGE', [labelled({}, gauge(1))]);
  infiniband(host, interrupts, { add, labelled, gauge, now });

  const booted = after > 0 ? host.changeAt : host.start - 86400;
  add('bhlat_boot_time_seconds', 'GAUGE', [labelled({}, gauge(booted))]);
  add('bhlat_host_read_errors_total', 'COUNTER', ['cpus', 'interrupts'].map((files) => labelled({ files }, counted(0))));
  add('bhlat_kernel_info', 'GAUGE', [labelled({ release, version: '#1 SMP PREEMPT_DYNAMIC', preempt_rt: 'false', fast_pool_mechanism: mechanism }, gauge(1))]);
  add('bhlat_host_info', 'GAUGE', [labelled({ rack: `r${Math.floor(chance(host.name) * 8)}` }, gauge(1))]);
  add('bhlat_build_info', 'GAUGE', [labelled({ version: '0.1.0' }, gauge(1))]);
  add('bhlat_collector_success', 'GAUGE', ['kernel', 'host'].map((collector) => labelled({ collector }, gauge(1))));
  add('bhlat_collector_duration_seconds', 'GAUGE', ['kernel', 'host'].map((collector) => labelled({ collector }, gauge(0.01))));
  add('process_start_time_seconds', 'GAUGE', [labelled({}, gauge(booted + 60))]);
  add('process_cpu_seconds_total', 'COUNTER', [labelled({}, { counter: { value: seconds / 1000 } })]);
  add('process_resident_memory_bytes', 'GAUGE', [labelled({}, gauge(65e6))]);
  return all;
}

function infiniband({ adapter, name }, interrupts, { add, labelled, gauge, now }) {
  if (!adapter) {
    return;
  }
  const port = { adapter, port: '1' };
  const up = chance(`${name} ${Math.floor(now / 300)}`) > 0.03 ? 1 : 0;
  add('bhlat_infiniband_port_info', 'GAUGE', [labelled({ ...port, link_layer: 'InfiniBand', net_devices: 'ib0', model: 'MT4099', board: 'MT_1100120019', firmware: '2.42.5000', pci_address: '0000:81:00.0', numa_node: '1' }, gauge(1))]);
  add('bhlat_infiniband_port_up', 'GAUGE', [labelled(port, gauge(up))]);
  add('bhlat_infiniband_port_state', 'GAUGE', [labelled(port, gauge(up ? 4 : 1))]);
  add('bhlat_infiniband_port_physical_state', 'GAUGE', [labelled(port, gauge(up ? 5 : 2))]);
  add('bhlat_infiniband_port_rate_bytes_per_second', 'GAUGE', [labelled(port, gauge(5e9))]);
  add('bhlat_infiniband_interrupt_info', 'GAUGE', interrupts.map((labels) => labelled({ adapter, ...labels }, gauge(1))));
  add('bhlat_infiniband_interrupt_affinity', 'GAUGE', interrupts.map(({ irq }, index) => labelled({ adapter, irq, cpu: String(index) }, gauge(1))));
}
