// SPDX-License-Identifier: Apache-2.0
//
// Adapters: their ports, their interrupts, the CPUs that serve those, and how late these CPUs are.

import { UIDS, dashboard, hostVariables, labelVariable, row } from './dashboard.mjs';
import { heatmap, lines, query, rows, table, thresholds, timeline } from './panels.mjs';
import { quantile, rate, select, sum } from './promql.mjs';

const ADAPTER = 'adapter=~"$adapter"';
const PORT = 'job, instance, adapter, port';
/** 1 for each host, adapter and CPU that serves an interrupt of the adapter. */
const SERVES = `max by (job, instance, adapter, cpu) (${select('bhlat_infiniband_interrupt_affinity', ADAPTER)})`;
const ON_THEM = `and on (job, instance, cpu) ${SERVES}`;
const ON_OTHERS = `unless on (job, instance, cpu) ${SERVES}`;
const SPEED = thresholds([null, 'green'], [0.001, 'yellow'], [0.01, 'orange'], [0.1, 'red']);
const UP = [{ type: 'value', options: { 0: { text: 'down', color: 'red', index: 0 }, 1: { text: 'up', color: 'green', index: 1 } } }];

const info = `${select('bhlat_infiniband_port_info', ADAPTER)}`;
const labels = 'link_layer, net_devices, model, firmware, numa_node';

const ports = row(
  'Ports',
  table({
    title: 'Ports', width: 24, height: 7, description: 'Ports of the adapters, with their state and rate now.',
    queries: [
      rows(`max by (${PORT}, ${labels}) (${info})`),
      rows(`max by (${PORT}) (${select('bhlat_infiniband_port_up', ADAPTER)}) * on (${PORT}) group_left (${labels}) max by (${PORT}, ${labels}) (${info})`),
      rows(`max by (${PORT}) (${select('bhlat_infiniband_port_rate_bytes_per_second', ADAPTER)}) * on (${PORT}) group_left (${labels}) max by (${PORT}, ${labels}) (${info})`),
      rows(`max by (${PORT}) (${select('bhlat_infiniband_port_physical_state', ADAPTER)}) * on (${PORT}) group_left (${labels}) max by (${PORT}, ${labels}) (${info})`),
    ],
    columns: [
      ['instance', 'host'], ['adapter', 'adapter'], ['port', 'port'],
      ['Value #B', 'state', { mappings: UP, steps: thresholds([null, 'red'], [1, 'green']), width: 80 }],
      ['Value #D', 'link', { mappings: physicalStates(), width: 160 }],
      ['Value #C', 'rate', { unit: 'Bps', width: 100 }],
      ['link_layer', 'link layer'], ['net_devices', 'net devices'], ['model', 'model'], ['firmware', 'firmware'], ['numa_node', 'NUMA node'],
    ],
  }),
  timeline({
    title: 'Ports over time', width: 24, height: 5, description: 'Whether the logical state of each port was ACTIVE.', mappings: UP, steps: thresholds([null, 'red'], [1, 'green']),
    queries: query(`max by (instance, adapter, port) (${select('bhlat_infiniband_port_up', ADAPTER)})`, '{{instance}} {{adapter}}/{{port}}'),
  }),
);

function physicalStates() {
  const names = ['Sleep', 'Polling', 'Disabled', 'Training', 'LinkUp', 'LinkErrorRecovery', 'Phy Test'];
  return [{ type: 'value', options: Object.fromEntries(names.map((text, index) => [String(index + 1), { text, index }])) }];
}

const calls = `${rate('bhlat_interrupt_randomness_total')} * on (job, instance, irq, device) group_left (adapter) max by (job, instance, adapter, irq, device) (${select('bhlat_infiniband_interrupt_info', ADAPTER)})`;

const interrupts = row(
  'Interrupts',
  lines({
    title: 'Interrupts by adapter', unit: 'cps', min: 0, width: 8, description: 'Each of them feeds the fast pool of its CPU.',
    queries: query(sum(calls, 'instance, adapter'), '{{instance}} {{adapter}}'),
  }),
  lines({
    title: 'Interrupts by CPU', unit: 'cps', min: 0, width: 8, description: 'Which CPUs the adapters keep busy.',
    queries: query(sum(calls, 'instance, cpu'), '{{instance}} CPU {{cpu}}'),
  }),
  lines({
    title: 'Interrupts by vector of the adapter', unit: 'cps', min: 0, width: 8, description: 'The 15 busiest completion queues.',
    queries: query(`topk(15, ${sum(calls, 'instance, adapter, device, irq')})`, '{{instance}} {{device}} ({{irq}})'),
  }),
  table({
    title: 'CPUs that serve an adapter', width: 24, height: 8, sort: 'softirqs wait p99', description: 'With the latencies of these CPUs in the time shown.',
    queries: cpuColumns(),
    columns: [
      ['instance', 'host'], ['adapter', 'adapter'], ['cpu', 'CPU', { width: 70 }],
      ['Value #A', 'interrupts of the adapter', {}],
      ['Value #B', 'softirqs wait p99', { unit: 's', steps: SPEED }],
      ['Value #C', 'softirqs run', { unit: 'percentunit', gauge: true, max: 1, steps: thresholds([null, 'green'], [0.3, 'orange'], [0.6, 'red']) }],
      ['Value #D', 'items wait p99', { unit: 's', steps: SPEED }],
      ['Value #E', 'mixing p99', { unit: 's', steps: SPEED }],
    ],
  }),
);

function cpuColumns() {
  const by = 'job, instance, cpu';
  const over = (name) => `rate(${select(name)}[$__range])`;
  const served = (expression) => rows(`max by (instance, adapter, cpu) (${expression} * on (${by}) group_right () ${SERVES}) > 0`);
  return [
    rows(`count by (instance, adapter, cpu) (${select('bhlat_infiniband_interrupt_affinity', ADAPTER)})`),
    served(quantile(0.99, over('bhlat_softirq_latency_seconds'), by)),
    served(sum(`histogram_sum(${over('bhlat_softirq_service_time_seconds')})`, by)),
    served(quantile(0.99, over('bhlat_queue_latency_seconds'), by)),
    served(quantile(0.99, over('bhlat_fast_pool_latency_seconds'), by)),
  ];
}

/** Quantile lines of the CPUs that serve an adapter, against all others of the same hosts. */
function against(title, description, name, matchers, q = 0.99) {
  return lines({
    title, description, unit: 's', log: true,
    queries: [
      query(quantile(q, `${rate(name, matchers)} ${ON_THEM}`, 'instance'), '{{instance}} CPUs of the adapter'),
      query(quantile(q, `${rate(name, matchers)} ${ON_OTHERS}`, 'instance'), '{{instance}} other CPUs'),
    ],
    overrides: [{ matcher: { id: 'byFrameRefID', options: 'B' }, properties: [{ id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 6] } }] }],
  });
}

const latency = row(
  'Latency of the CPUs that serve an adapter',
  heatmap({
    title: 'NET_RX on these CPUs', description: 'Raise to entry: IPoIB\'s packets wait here.',
    expr: sum(`${rate('bhlat_softirq_latency_seconds', 'vector="NET_RX"')} ${ON_THEM}`),
  }),
  heatmap({
    title: 'Mixing of the fast pool on these CPUs', description: 'Enqueue to mixing.',
    expr: sum(`${rate('bhlat_fast_pool_latency_seconds')} ${ON_THEM}`),
  }),
  against('p99 of NET_RX', 'Raise to entry, of these CPUs and of all others (dashed).', 'bhlat_softirq_latency_seconds', 'vector="NET_RX"'),
  against('p99 of tasklets\' vectors', 'HI and TASKLET: completion handlers of some adapters.', 'bhlat_softirq_latency_seconds', 'vector=~"HI|TASKLET"'),
  against('p99 of work items and tasklets', 'Queueing to start.', 'bhlat_queue_latency_seconds', ''),
  against('p99 of the mixing', 'Enqueue to mixing.', 'bhlat_fast_pool_latency_seconds', ''),
  lines({
    title: 'Time in add_interrupt_randomness', unit: 's', log: true, description: 'Mean and p99 in the hard interrupt, on these CPUs; only where functions can be probed.',
    queries: query(quantile(0.99, `${rate('bhlat_interrupt_randomness_seconds')} ${ON_THEM}`, 'instance'), '{{instance}} p99'),
  }),
  lines({
    title: 'Softirqs run by a thread on these CPUs', unit: 'percentunit', min: 0, description: 'Share of NET_RX that ksoftirqd ran: it had to be scheduled first.',
    queries: query(
      `sum by (instance) (histogram_count(${rate('bhlat_softirq_latency_seconds', 'vector="NET_RX", context="ksoftirqd"')} ${ON_THEM})) / sum by (instance) (histogram_count(${rate('bhlat_softirq_latency_seconds', 'vector="NET_RX"')} ${ON_THEM}))`,
      '{{instance}}',
    ),
  }),
);

export default dashboard({
  uid: UIDS.infiniband,
  title: 'bhlat / InfiniBand',
  description: 'Ports, interrupts and CPUs of InfiniBand and RoCE adapters, against how late deferred work is on those CPUs.',
  variables: [
    ...hostVariables('bhlat_infiniband_port_info'),
    labelVariable('adapter', select('bhlat_infiniband_port_info'), 'adapter', { title: 'Adapter' }),
  ],
  rows: [ports, interrupts, latency],
});
