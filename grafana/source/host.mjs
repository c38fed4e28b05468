// SPDX-License-Identifier: Apache-2.0
//
// One host (or several, summed): where its deferred work waits, and what feeds it.

import { UIDS, dashboard, hostVariables, labelVariable, row } from './dashboard.mjs';
import { GOOD_AT_ZERO, heatmap, lines, now, query, rows, stat, table, thresholds, timeline } from './panels.mjs';
import { greatest, mean, quantile, rate, select, sum } from './promql.mjs';

const CPU = 'cpu=~"$cpu"';
const CLASS = `work_class=~"$work_class", ${CPU}`;
const VECTOR = `vector=~"$vector", ${CPU}`;
const queueLatency = rate('bhlat_queue_latency_seconds', CLASS);
const softirqLatency = rate('bhlat_softirq_latency_seconds', VECTOR);
const fastPool = rate('bhlat_fast_pool_latency_seconds', CPU);
const WAITS = thresholds([null, 'dark-green'], [0.0001, 'green'], [0.001, 'yellow'], [0.01, 'orange'], [0.1, 'red']);
const LATENCY_STEPS = thresholds([null, 'green'], [0.001, 'yellow'], [0.01, 'orange'], [0.1, 'red']);

const summary = row(
  'Host',
  table({
    title: 'Kernel', width: 8, height: 4, description: 'The kernel that is measured, and by what it defers the mixing of interrupt randomness.',
    queries: rows(sum(select('bhlat_kernel_info'), 'instance, release, fast_pool_mechanism, preempt_rt')),
    columns: [['instance', 'host'], ['release', 'kernel'], ['fast_pool_mechanism', 'fast pool by'], ['preempt_rt', 'PREEMPT_RT']],
  }),
  table({
    title: 'Labels', width: 4, height: 4, noValue: 'none', description: 'Labels of the operator\'s own: those under labels in the daemon\'s configuration file.',
    queries: rows(`sum without (job, __name__) (${select('bhlat_host_info')})`),
    hidden: ['Time', 'Value'],
  }),
  stat({
    title: 'Up since', description: 'When the host booted.', unit: 'dateTimeFromNow', width: 3,
    queries: now(`1000 * max(${select('bhlat_boot_time_seconds')})`, 'boot'),
  }),
  stat({
    title: 'Samples lost', description: 'Share of samples lost for another reason than cancelled work, in the time shown.', unit: 'percentunit', decimals: 2, width: 3, color: 'background',
    steps: thresholds([null, 'green'], [0.001, 'orange'], [0.01, 'red']),
    queries: now(
      `sum(increase(${select('bhlat_lost_samples_total', 'reason!~"cancelled|program_skipped"')}[$__range])) / sum(increase(${select('bhlat_started_total')}[$__range]))`,
      'lost',
    ),
  }),
  stat({
    title: 'Probes missing', description: 'Probes that a measurement wants and that are not attached.', unit: 'none', width: 3, color: 'background', steps: GOOD_AT_ZERO,
    queries: now(`sum(1 - ${select('bhlat_probe_attached')})`, 'missing'),
  }),
  stat({
    title: 'Pending', description: 'Work queued and not started yet, at the last scrape.', unit: 'none', width: 3, graph: true,
    queries: query(`sum(${select('bhlat_pending')})`, 'pending'),
  }),
);

const workItems = row(
  'Work items and tasklets',
  heatmap({
    title: 'Queue latency of $work_class', repeat: 'work_class', height: 9, width: 12,
    description: 'Queueing to start, all selected CPUs together. Brighter: more items. A band that moves up is a regression.',
    expr: sum(queueLatency),
  }),
  lines({
    title: 'Queue latency: p50, p99, p99.9', unit: 's', log: true,
    description: 'Queueing to start, by class.',
    queries: [
      query(quantile(0.5, queueLatency, 'work_class'), '{{work_class}} p50'),
      query(quantile(0.99, queueLatency, 'work_class'), '{{work_class}} p99'),
      query(quantile(0.999, queueLatency, 'work_class'), '{{work_class}} p99.9'),
    ],
  }),
  lines({
    title: 'Waiting for max_active, and running', unit: 's', log: true,
    description: '99th percentile of the part of the queue latency that max_active caused, and of the service time (start to end).',
    queries: [
      query(quantile(0.99, rate('bhlat_activation_latency_seconds', CLASS), 'work_class'), '{{work_class}} waits for max_active'),
      query(quantile(0.99, rate('bhlat_service_time_seconds', CLASS), 'work_class'), '{{work_class}} runs'),
    ],
  }),
  lines({
    title: 'Started', unit: 'cps', min: 0, description: 'Work started, by class and vector of softirqs.',
    queries: [
      query(`${sum(rate('bhlat_started_total', `work_class!="softirq", ${CPU}`), 'work_class')} > 0`, '{{work_class}}'),
      query(sum(`histogram_count(${softirqLatency})`, 'vector'), 'softirq {{vector}}'),
    ],
  }),
  lines({
    title: 'queue_work_on', unit: 'cps', min: 0, description: 'Calls by the CPU asked for, and whether the item was pending already (told only where functions can be probed).',
    queries: query(sum(rate('bhlat_queue_work_on_total', CPU), 'request, result'), '{{request}}, {{result}}'),
  }),
);

const functions = row(
  'Functions',
  table({
    title: 'Functions by share of a CPU', width: 24, height: 10, sort: 'runs',
    description: 'Each function over all CPUs in the time shown: how long it waited, how long it ran, how often.',
    queries: functionColumns(),
    columns: [
      ['function', 'function'], ['workqueue', 'workqueue'], ['work_class', 'class'],
      ['Value #A', 'started', { unit: 'cps', width: 110 }],
      ['Value #B', 'wait p50', { unit: 's', width: 110 }],
      ['Value #C', 'wait p99', { unit: 's', width: 110, steps: LATENCY_STEPS }],
      ['Value #D', 'run p99', { unit: 's', width: 110, steps: LATENCY_STEPS }],
      ['Value #E', 'runs', { unit: 'percentunit', width: 180, gauge: true, steps: thresholds([null, 'blue']) }],
    ],
  }),
  timeline({
    title: 'p99 by function', unit: 's', width: 24, height: 12, steps: WAITS,
    description: 'Queueing to start. The 16 functions that wait longest at the end of the time shown; green below 1 ms, red above 100 ms. A row that changes its colour is where to look.',
    queries: query(
      greatest(16, quantile(0.99, rate('bhlat_function_queue_latency_seconds', 'work_class=~"$work_class"'), 'function, workqueue'), 'function, workqueue'),
      '{{function}} ({{workqueue}})',
    ),
  }),
);

function functionColumns() {
  const by = 'function, workqueue, work_class';
  const increase = (name) => `rate(${select(name, 'work_class=~"$work_class"')}[$__range])`;
  const waits = increase('bhlat_function_queue_latency_seconds');
  const runs = increase('bhlat_function_service_time_seconds');
  return [
    rows(`histogram_count(${sum(waits, by)}) > 0`),
    rows(`${quantile(0.5, waits, by)} > 0`),
    rows(`${quantile(0.99, waits, by)} > 0`),
    rows(`${quantile(0.99, runs, by)} > 0`),
    rows(`histogram_sum(${sum(runs, by)}) > 0`),
  ];
}

const softirqs = row(
  'Softirqs',
  heatmap({
    title: 'Latency of $vector', repeat: 'vector', height: 8, width: 8,
    description: 'First raise to entry, all selected CPUs together.',
    expr: sum(softirqLatency),
  }),
  lines({
    title: 'p99 by vector', unit: 's', log: true, description: '99th percentile from raise to entry.',
    queries: query(quantile(0.99, softirqLatency, 'vector'), '{{vector}}'),
  }),
  lines({
    title: 'Share of a CPU by vector', unit: 'percentunit', stack: true, min: 0, description: 'Time that the handlers ran; 100 % is one CPU.',
    queries: query(sum(`histogram_sum(${rate('bhlat_softirq_service_time_seconds', VECTOR)})`, 'vector'), '{{vector}}'),
  }),
  lines({
    title: 'Share run by a thread', unit: 'percentunit', min: 0,
    description: 'Share of each vector that ksoftirqd or ktimers ran: a thread that had to be scheduled first. It grows with load.',
    queries: query(
      `sum by (vector) (histogram_count(${rate('bhlat_softirq_latency_seconds', `context=~"ksoftirqd|ktimers", ${VECTOR}`)})) / sum by (vector) (histogram_count(${softirqLatency}))`,
      '{{vector}}',
    ),
  }),
  lines({
    title: 'p99 in a thread, by vector', unit: 's', log: true, description: '99th percentile of those that ksoftirqd or ktimers ran.',
    queries: query(quantile(0.99, rate('bhlat_softirq_latency_seconds', `context=~"ksoftirqd|ktimers", ${VECTOR}`), 'vector'), '{{vector}}'),
  }),
);

const fastPools = row(
  'Fast pool of interrupt randomness',
  heatmap({
    title: 'Latency of the mixing', height: 9, description: 'Enqueue by add_interrupt_randomness to the start of the mixing.', cellUnit: 'cps',
    expr: sum(fastPool),
  }),
  lines({
    title: 'Mixing: p50, p99 and mean', unit: 's', log: true, height: 9, description: 'By mechanism, and by what ran it.',
    queries: [
      query(quantile(0.5, fastPool, 'mechanism, context'), '{{mechanism}} in {{context}} p50'),
      query(quantile(0.99, fastPool, 'mechanism, context'), '{{mechanism}} in {{context}} p99'),
      query(mean(fastPool, 'mechanism, context'), '{{mechanism}} in {{context}} mean'),
    ],
  }),
  lines({
    title: 'Interrupts that feed the pool', unit: 'cps', min: 0, description: 'Calls of add_interrupt_randomness by device, the 15 busiest.',
    queries: query(`topk(15, ${sum(rate('bhlat_interrupt_randomness_total', CPU), 'device, irq')})`, '{{device}} ({{irq}})'),
  }),
  lines({
    title: 'Interrupts that feed the pool, by adapter', unit: 'cps', min: 0, description: 'Calls of add_interrupt_randomness for interrupts of InfiniBand and RoCE adapters.',
    queries: query(
      `sum by (instance, adapter) (${rate('bhlat_interrupt_randomness_total', CPU)} * on (job, instance, irq, device) group_left (adapter) ${select('bhlat_infiniband_interrupt_info')})`,
      '{{instance}} {{adapter}}',
    ),
  }),
  lines({
    title: 'Time in add_interrupt_randomness', unit: 's', log: true, description: 'Entry to exit, in the hard interrupt; only where functions can be probed.',
    queries: [
      query(quantile(0.99, rate('bhlat_interrupt_randomness_seconds', CPU)), 'p99'),
      query(mean(rate('bhlat_interrupt_randomness_seconds', CPU)), 'mean'),
    ],
  }),
  lines({
    title: 'Mixings queued', unit: 'cps', min: 0, description: 'What add_interrupt_randomness queued, by CPU.',
    queries: query(sum(rate('bhlat_queued_total', `work_class="fast_pool", ${CPU}`), 'cpu'), 'CPU {{cpu}}'),
  }),
);

const cpus = row(
  'CPUs',
  table({
    title: 'CPUs', width: 24, height: 9, sort: 'softirqs run', description: 'Each CPU in the time shown. Click a heading to sort.',
    queries: cpuColumns(),
    columns: [
      ['instance', 'host'], ['cpu', 'CPU', { width: 70 }],
      ['Value #A', 'items started', { unit: 'cps' }],
      ['Value #B', 'items wait p99', { unit: 's', steps: LATENCY_STEPS }],
      ['Value #C', 'softirqs wait p99', { unit: 's', steps: LATENCY_STEPS }],
      ['Value #D', 'softirqs run', { unit: 'percentunit', gauge: true, max: 1, steps: thresholds([null, 'green'], [0.3, 'orange'], [0.6, 'red']) }],
      ['Value #E', 'in ksoftirqd', { unit: 'percentunit', decimals: 1 }],
      ['Value #F', 'mixing p99', { unit: 's', steps: LATENCY_STEPS }],
      ['Value #G', 'interrupts', { unit: 'cps' }],
    ],
  }),
  timeline({
    title: 'p99 of work items and tasklets by CPU', width: 24, height: 9, unit: 's', steps: WAITS,
    description: 'The 32 CPUs that are worst at the end of the time shown. Green below 1 ms, red above 100 ms.',
    queries: query(greatest(32, quantile(0.99, queueLatency, 'instance, cpu'), 'instance, cpu'), '{{instance}} CPU {{cpu}}'),
  }),
  lines({
    title: 'Softirqs by CPU', unit: 'percentunit', min: 0, description: 'Share of each CPU that softirqs take, the 16 busiest.',
    queries: query(`topk(16, ${sum(`histogram_sum(${rate('bhlat_softirq_service_time_seconds', VECTOR)})`, 'instance, cpu')})`, '{{instance}} CPU {{cpu}}'),
  }),
  lines({
    title: 'p99 of softirqs by CPU', unit: 's', log: true, description: 'All selected vectors together, the 16 CPUs that are worst at the end of the time shown.',
    queries: query(greatest(16, quantile(0.99, softirqLatency, 'instance, cpu'), 'instance, cpu'), '{{instance}} CPU {{cpu}}'),
  }),
);

function cpuColumns() {
  const by = 'instance, cpu';
  const over = (name, matchers) => `rate(${select(name, matchers)}[$__range])`;
  const softirq = over('bhlat_softirq_latency_seconds', VECTOR);
  return [
    rows(`sum by (${by}) (${over('bhlat_started_total', `work_class!="softirq", ${CPU}`)})`),
    rows(`${quantile(0.99, over('bhlat_queue_latency_seconds', CLASS), by)} > 0`),
    rows(`${quantile(0.99, softirq, by)} > 0`),
    rows(sum(`histogram_sum(${over('bhlat_softirq_service_time_seconds', VECTOR)})`, by)),
    rows(`sum by (${by}) (histogram_count(${over('bhlat_softirq_latency_seconds', `context=~"ksoftirqd|ktimers", ${VECTOR}`)})) / sum by (${by}) (histogram_count(${softirq}))`),
    rows(`${quantile(0.99, over('bhlat_fast_pool_latency_seconds', CPU), by)} > 0`),
    rows(sum(over('bhlat_interrupt_randomness_total', CPU), by)),
  ];
}

const cost = row(
  'Accounts and cost',
  lines({
    title: 'Samples lost, by reason', unit: 'cps', min: 0, description: 'Cancelled work is shown too; it was never to run.',
    queries: query(`${sum(rate('bhlat_lost_samples_total'), 'work_class, reason')} > 0`, '{{work_class}} {{reason}}'),
  }),
  lines({
    title: 'Pending', unit: 'none', min: 0, description: 'Queued, neither started nor lost. One that only grows is a leak or a stuck worker.',
    queries: query(sum(select('bhlat_pending'), 'work_class'), '{{work_class}}'),
  }),
  lines({
    title: 'Program cost', unit: 'percentunit', min: 0, stack: true, description: 'Share of a CPU that bhlat\'s programs take, where kernel.bpf_stats_enabled=1.',
    queries: query(`topk(15, ${sum(rate('bhlat_program_run_seconds_total'), 'program')})`, '{{program}}'),
  }),
  lines({
    title: 'Program cost of a run', unit: 's', min: 0, description: 'Mean time of a run; the statistics themselves take part of it.',
    queries: query(`${sum(rate('bhlat_program_run_seconds_total'), 'program')} / ${sum(rate('bhlat_program_runs_total'), 'program')}`, '{{program}}'),
  }),
  lines({
    title: 'Memory and CPU of the daemon', unit: 'bytes', min: 0, description: 'Resident memory; CPU time on the right.',
    queries: [
      query(sum(select('process_resident_memory_bytes'), 'instance'), '{{instance}} resident'),
      query(sum(rate('process_cpu_seconds_total'), 'instance'), '{{instance}} CPU'),
    ],
    overrides: [{ matcher: { id: 'byFrameRefID', options: 'B' }, properties: [{ id: 'unit', value: 'percentunit' }, { id: 'custom.axisPlacement', value: 'right' }] }],
  }),
  lines({
    title: 'Time of a scrape', unit: 's', min: 0, description: 'As the daemon measures it by collector, and as Prometheus waits for it.',
    queries: [
      query(sum(select('bhlat_collector_duration_seconds'), 'instance, collector'), '{{instance}} {{collector}}'),
      query(sum(select('scrape_duration_seconds'), 'instance'), '{{instance}} scrape'),
    ],
  }),
);

export default dashboard({
  uid: UIDS.host,
  title: 'bhlat / Host detail',
  description: 'Where the deferred work of a host waits: by class, function, softirq vector and CPU; what feeds its pool of randomness; what measuring costs.',
  variables: [
    ...hostVariables('bhlat_build_info'),
    labelVariable('work_class', select('bhlat_queue_latency_seconds'), 'work_class', { title: 'Class' }),
    labelVariable('vector', select('bhlat_softirq_latency_seconds'), 'vector', { title: 'Vector' }),
    labelVariable('cpu', select('bhlat_started_total'), 'cpu', { title: 'CPU' }),
  ],
  rows: [summary, workItems, functions, softirqs, fastPools, cpus, cost],
});
