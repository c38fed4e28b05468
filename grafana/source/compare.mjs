// SPDX-License-Identifier: Apache-2.0
//
// A against B: hosts, kernels, or the same hosts at another time. A side is what its variables select; A,
// the one to compare with, may also lie in the past: it is then shifted onto B's time.

import { HOSTS } from './promql.mjs';
import { UIDS, choice, dashboard, hostVariables, labelVariable, row } from './dashboard.mjs';
import { heatmap, lines, query, rows, stat, now, table, thresholds } from './panels.mjs';
import { select, sum } from './promql.mjs';

const SIDES = { A: { suffix: 'a', shift: ' offset $shift_a' }, B: { suffix: 'b', shift: '' } };
const RATIO = thresholds([null, 'blue'], [0.8, 'green'], [1.25, 'orange'], [2, 'red']);

/** Rate over a time of a series, on the hosts and kernels of a side. */
function side(name, { suffix, shift }, matchers = '', over = '$__rate_interval') {
  const hosts = `${HOSTS}, instance=~"$instance_${suffix}"`;
  const kernels = `${select('bhlat_kernel_info', `release=~"$kernel_${suffix}"`, hosts)}${shift}`;
  return `(rate(${select(name, matchers, hosts)}[${over}]${shift}) and on (job, instance) ${kernels})`;
}

const CLASS = 'work_class=~"$work_class"';
const VECTOR = 'vector=~"$vector"';
const p = (q, histogram, by = '') => `histogram_quantile(${q}, ${sum(histogram, by)})`;

/** The same quantile of A and B over time. */
function both(name, matchers, by, legend, q = 0.99) {
  return Object.entries(SIDES).map(([letter, of]) => query(p(q, side(name, of, matchers), by), `${letter} ${legend}`));
}

/** A's lines full, B's dashed. */
const dashedB = [{
  matcher: { id: 'byFrameRefID', options: 'B' },
  properties: [{ id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 6] } }, { id: 'custom.lineWidth', value: 2 }],
}];

const RANGE = '$__range';

function ratio(title, description, name, matchers) {
  const [a, b] = Object.values(SIDES).map((of) => p(0.99, side(name, of, matchers, RANGE)));
  return stat({ title, description, unit: 'x', decimals: 2, width: 6, height: 4, steps: RATIO, color: 'background', queries: now(`${b} / ${a}`, 'B / A') });
}

const summary = row(
  'B against A',
  ratio('Work items and tasklets, p99: B / A', '99th percentile of the queue latency of the selected classes. 2 means that B waits twice as long.', 'bhlat_queue_latency_seconds', CLASS),
  ratio('Softirqs, p99: B / A', '99th percentile from raise to entry of the selected vectors.', 'bhlat_softirq_latency_seconds', VECTOR),
  ratio('Fast pool, p99: B / A', '99th percentile from enqueue to mixing.', 'bhlat_fast_pool_latency_seconds'),
  ratio('Service time, p99: B / A', '99th percentile from start to end of the selected classes.', 'bhlat_service_time_seconds', CLASS),
);

const hosts = row(
  'What is compared',
  ...Object.entries(SIDES).map(([letter, { suffix, shift }]) =>
    table({
      title: `Side ${letter}`, height: 5, description: `Hosts and kernels of ${letter}${shift && ', at the time it is shifted to'}.`,
      queries: rows(sum(`${select('bhlat_kernel_info', `instance=~"$instance_${suffix}", release=~"$kernel_${suffix}"`)}${shift}`, 'instance, release, fast_pool_mechanism, preempt_rt')),
      columns: [['instance', 'host'], ['release', 'kernel'], ['fast_pool_mechanism', 'fast pool by'], ['preempt_rt', 'PREEMPT_RT']],
    })),
);

function pictures(title, description, name, matchers) {
  return Object.entries(SIDES).map(([letter, of]) =>
    heatmap({ title: `${letter}: ${title}`, description, height: 8, min: 1e-7, max: 1, expr: sum(side(name, of, matchers)) }));
}

const distribution = row(
  'Side by side',
  ...pictures('queue latency of work items and tasklets', 'Queueing to start, of the selected classes.', 'bhlat_queue_latency_seconds', CLASS),
  ...pictures('softirqs', 'Raise to entry, of the selected vectors.', 'bhlat_softirq_latency_seconds', VECTOR),
  ...pictures('mixing of the fast pool', 'Enqueue to mixing.', 'bhlat_fast_pool_latency_seconds'),
);

const time = row(
  'Over time: A full, B dashed',
  lines({
    title: 'p99 of work items and tasklets', unit: 's', log: true, description: 'Queueing to start, by class.', overrides: dashedB,
    queries: both('bhlat_queue_latency_seconds', CLASS, 'work_class', '{{work_class}}'),
  }),
  lines({
    title: 'p99 of softirqs', unit: 's', log: true, description: 'Raise to entry, by vector.', overrides: dashedB,
    queries: both('bhlat_softirq_latency_seconds', VECTOR, 'vector', '{{vector}}'),
  }),
  lines({
    title: 'Mixing of the fast pool, p50', unit: 's', log: true, description: 'Enqueue to mixing, by mechanism: the question that bhlat began with.', overrides: dashedB,
    queries: both('bhlat_fast_pool_latency_seconds', '', 'mechanism', '{{mechanism}}', 0.5),
  }),
  lines({
    title: 'Started', unit: 'cps', min: 0, description: 'Is the load the same on both sides? If not, the latencies compare two loads.', overrides: dashedB,
    queries: Object.entries(SIDES).map(([letter, of]) => query(`${sum(side('bhlat_started_total', of), 'work_class')} > 0`, `${letter} {{work_class}}`)),
  }),
);

/** Columns A, B and B / A of one quantile. A ratio of 99th percentiles takes 100 samples on each side. */
function compared(name, matchers, by, q) {
  const [a, b] = Object.values(SIDES).map((of) => p(q, side(name, of, matchers, RANGE), by));
  const enough = Object.values(SIDES).map((of) => `histogram_count(${sum(side(name, of, matchers, RANGE), by)}) * $__range_s > 100`);
  return [rows(`${a} > 0`), rows(`${b} > 0`), rows(`${b} / ${a} and ${enough.join(' and ')}`)];
}

function comparison(title, description, name, matchers, labels) {
  const by = labels.map(([label]) => label).join(', ');
  const [a, b] = Object.values(SIDES).map((of) => `histogram_count(${sum(side(name, of, matchers, RANGE), by)})`);
  return table({
    title, description, width: 24, height: 9, sort: 'p99 B/A',
    queries: [...compared(name, matchers, by, 0.5), ...compared(name, matchers, by, 0.99), rows(`${a} > 0`), rows(`${b} > 0`)],
    columns: [
      ...labels,
      ['Value #A', 'p50 A', { unit: 's' }], ['Value #B', 'p50 B', { unit: 's' }], ['Value #C', 'p50 B/A', { unit: 'x', decimals: 2, steps: RATIO, width: 90 }],
      ['Value #D', 'p99 A', { unit: 's' }], ['Value #E', 'p99 B', { unit: 's' }], ['Value #F', 'p99 B/A', { unit: 'x', decimals: 2, steps: RATIO, width: 90 }],
      ['Value #G', 'rate A', { unit: 'cps' }], ['Value #H', 'rate B', { unit: 'cps' }],
    ],
  });
}

const tables = row(
  'In the time shown',
  comparison('Work items and tasklets', 'Queue latency by class.', 'bhlat_queue_latency_seconds', CLASS, [['work_class', 'class']]),
  comparison('Softirqs', 'Raise to entry, by vector.', 'bhlat_softirq_latency_seconds', VECTOR, [['vector', 'vector']]),
  comparison('Functions', 'Queue latency by function.', 'bhlat_function_queue_latency_seconds', CLASS, [['function', 'function'], ['workqueue', 'workqueue']]),
);

const hostsOf = (letter, suffix) =>
  labelVariable(`instance_${suffix}`, select('bhlat_build_info'), 'instance', { title: `${letter}: host` });
const kernelsOf = (letter, suffix) =>
  labelVariable(`kernel_${suffix}`, select('bhlat_kernel_info', `instance=~"$instance_${suffix}"`), 'release', { title: `${letter}: kernel` });

export default dashboard({
  uid: UIDS.compare,
  title: 'bhlat / A/B',
  description: 'Two sets of hosts, two kernels, or the same hosts at two times, side by side. Choose host and kernel of each side; A: shift compares with that long ago.',
  variables: [
    ...hostVariables('bhlat_build_info', { title: 'Hosts' }),
    hostsOf('A', 'a'), kernelsOf('A', 'a'),
    hostsOf('B', 'b'), kernelsOf('B', 'b'),
    // PromQL takes no offset of 0.
    choice('shift_a', 'A: shift', 'How long before B A is; none: the same time.', [['none', '1ms'], ...['15m', '1h', '6h', '1d', '7d', '14d', '28d'].map((time) => [time, time])]),
    labelVariable('work_class', select('bhlat_queue_latency_seconds'), 'work_class', { title: 'Class' }),
    labelVariable('vector', select('bhlat_softirq_latency_seconds'), 'vector', { title: 'Vector' }),
  ],
  rows: [summary, hosts, distribution, time, tables],
});
