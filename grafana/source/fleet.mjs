// SPDX-License-Identifier: Apache-2.0
//
// All hosts. Reads only what rules/recording.yaml records: a few series for each host, whatever its
// number of CPUs.

import { UIDS, dashboard, hostVariables, labelVariable, row, toHost } from './dashboard.mjs';
import { GOOD_AT_ZERO, bars, now, query, rows, stat, table, thresholds } from './panels.mjs';
import * as panels from './panels.mjs';
import { select, sum } from './promql.mjs';

// Each point is a quantile of 5 minutes or an hour: more points show no more, and cost as many samples of
// every host.
const POINTS = 240;
const lines = (options) => panels.lines({ maxDataPoints: POINTS, ...options });
const timeline = (options) => panels.timeline({ maxDataPoints: POINTS, ...options });

const LATENCY = 'work_class:bhlat_queue_latency_seconds';
const CLASS = 'work_class=~"$work_class", vector=~"$vector"';
const ofClass = (operation) => select(`${LATENCY}:${operation}`, CLASS);
const KERNEL = select('instance:bhlat_kernel_info:max');
// topk: where two kernels of a host overlap for a moment, one of them.
const withKernel = (labels) => `* on (job, instance) group_left (${labels}) topk by (job, instance) (1, ${KERNEL})`;
/** The rows that moved most: all classes of a thousand hosts are too many for a browser. */
const MOST = `and on (job, instance, work_class, vector) topk(200, ${ofClass('p99_1h_of_week')})`;

/** Colours of a ratio to the host's own last week. */
const OF_WEEK = thresholds([null, 'green'], [1.2, 'yellow'], [1.5, 'orange'], [2, 'red']);
const host = ['instance', 'Host', { links: toHost('Host') }];

const summary = row(
  'Fleet',
  stat({
    title: 'Hosts', description: 'Hosts that answered the last scrape.', unit: 'none', width: 3,
    queries: now(`sum(${select('instance:bhlat_up:min')})`, 'up'),
  }),
  stat({
    title: 'Down', description: 'Hosts that Prometheus could not scrape.', unit: 'none', width: 3, steps: GOOD_AT_ZERO, color: 'background',
    queries: now(`sum(1 - ${select('instance:bhlat_up:min')})`, 'down'),
  }),
  stat({
    title: 'p99 regressed', description: 'Hosts with a class or vector whose 99th percentile of the last hour is more than 1.5 times, and 50 µs above, the median of its own last week.',
    unit: 'none', width: 4, color: 'background', steps: thresholds([null, 'green'], [1, 'orange']),
    queries: now(
      `count(count by (job, instance) (${select(`${LATENCY}:p99_1h_of_week`)} > 1.5 and ${select(`${LATENCY}:p99_1h`)} - ${select(`${LATENCY}:p99_1h_week`)} > 50e-6)) or vector(0)`,
      'regressed',
    ),
  }),
  stat({
    title: 'Losing samples', description: 'Hosts that lose more than one sample in a thousand of any class, for another reason than cancelled work.',
    unit: 'none', width: 4, color: 'background', steps: GOOD_AT_ZERO,
    queries: now(`count(count by (job, instance) (${select('work_class:bhlat_lost_samples:ratio5m')} > 0.001)) or vector(0)`, 'losing'),
  }),
  stat({
    title: 'Probes missing', description: 'Hosts on which a probe that a measurement wants is not attached.', unit: 'none', width: 4, color: 'background', steps: GOOD_AT_ZERO,
    queries: now(`sum(${select('instance:bhlat_probes_missing:count')} > bool 0)`, 'missing'),
  }),
  stat({
    title: 'Collectors failing', description: 'Hosts on which a collector of the daemon fails, so that its metrics are missing.', unit: 'none', width: 3, color: 'background', steps: GOOD_AT_ZERO,
    queries: now(`sum(${select('instance:bhlat_collectors_failing:count')} > bool 0)`, 'failing'),
  }),
  stat({
    title: 'Kernels', description: 'Different kernel releases in the fleet.', unit: 'none', width: 3,
    queries: now(`count(count by (release) (${KERNEL}))`, 'releases'),
  }),
);

const regressions = row(
  'Which hosts changed',
  timeline({
    title: 'p99 against the host\'s own week, 20 worst', width: 24, height: 9, unit: 'x',
    description: 'The worst of the selected classes: 99th percentile of the last hour over the median of its last week. Green below 1.2, red above 2. Click a host to open it.',
    steps: OF_WEEK,
    queries: query(
      `max by (instance) (${ofClass('p99_1h_of_week')}) and on (instance) topk(20, max by (instance) (${select(`${LATENCY}:p99_1h_of_week`, CLASS)} @ end()))`,
      '{{instance}}',
    ),
  }),
  table({
    title: 'Hosts by p99', width: 24, height: 10, sort: 'of week',
    description: 'The 200 hosts and classes that moved most, with the 99th percentile of the last hour and the median of its last week.',
    queries: [
      rows(`${ofClass('p99_1h')} ${withKernel('release, fast_pool_mechanism')} ${MOST}`),
      rows(`${ofClass('p99_1h_week')} ${withKernel('release, fast_pool_mechanism')} ${MOST}`),
      rows(`${ofClass('p99_1h_of_week')} ${withKernel('release, fast_pool_mechanism')} ${MOST}`),
      rows(`${ofClass('count_rate5m')} ${withKernel('release, fast_pool_mechanism')} ${MOST}`),
    ],
    columns: [
      host, ['work_class', 'class'], ['vector', 'vector'], ['release', 'kernel'], ['fast_pool_mechanism', 'fast pool'],
      ['Value #A', 'p99, last hour', { unit: 's', width: 120 }],
      ['Value #B', 'p99, week', { unit: 's', width: 120 }],
      ['Value #C', 'of week', { unit: 'x', decimals: 2, steps: OF_WEEK, width: 100 }],
      ['Value #D', 'samples', { unit: 'cps', width: 110 }],
    ],
  }),
);

const latency = row(
  'Queue latency by class',
  lines({
    title: 'Worst p99 by class', unit: 's', log: true,
    description: 'The highest 99th percentile of any host, by class, softirqs by vector; 5 minutes.',
    queries: query(`max by (work_class, vector) (${ofClass('p99_5m')})`, '{{work_class}} {{vector}}'),
  }),
  lines({
    title: 'p99 of the median host, by class', unit: 's', log: true,
    description: 'Half of the hosts are below: moves when the fleet does, not when one host does.',
    queries: query(`quantile by (work_class, vector) (0.5, ${ofClass('p99_5m')})`, '{{work_class}} {{vector}}'),
  }),
  lines({
    title: 'p99 against the own week, by class', unit: 'x', log: true,
    description: 'The host that moved most, by class, softirqs by vector: which class is it?',
    queries: query(`max by (work_class, vector) (${ofClass('p99_1h_of_week')})`, '{{work_class}} {{vector}}'),
  }),
  lines({
    title: 'p99 against the own week, by kernel', unit: 'x', log: true,
    description: 'The median host of each kernel, by the class that moved most on it: is it the kernel?',
    queries: query(
      `quantile by (release) (0.5, max by (job, instance) (${ofClass('p99_1h_of_week')}) ${withKernel('release')})`,
      '{{release}}',
    ),
  }),
);

const kernels = row(
  'Kernels',
  bars({
    title: 'Hosts by kernel', unit: 'none', width: 8, description: 'How many hosts run each release.',
    queries: now(`count by (release) (${KERNEL})`, '{{release}}'),
  }),
  bars({
    title: 'Hosts by fast-pool mechanism', unit: 'none', width: 8, description: 'By what the kernel defers the mixing of interrupt randomness.',
    queries: now(`count by (fast_pool_mechanism) (${KERNEL})`, '{{fast_pool_mechanism}}'),
  }),
  bars({
    title: 'fast_pool p99 by mechanism, median host', unit: 's', width: 8, description: 'What the mechanism costs: 99th percentile from enqueue to mixing, on the median host that uses it.',
    queries: now(
      `quantile by (fast_pool_mechanism) (0.5, ${select(`${LATENCY}:p99_1h`, 'work_class="fast_pool"')} ${withKernel('fast_pool_mechanism')})`,
      '{{fast_pool_mechanism}}',
    ),
  }),
);

const trust = row(
  'Can the numbers be trusted',
  table({
    title: 'Samples lost', width: 8, sort: 'lost', noValue: 'none', description: 'Samples lost in the last 5 minutes, by reason; cancelled work is not lost. docs/JSON.md explains the reasons.',
    queries: rows(sum(select('reason:bhlat_lost_samples:rate5m'), 'instance, work_class, reason')),
    columns: [host, ['work_class', 'class'], ['reason', 'reason'], ['Value', 'lost', { unit: 'cps' }]],
  }),
  table({
    title: 'Probes missing', width: 8, noValue: 'none', description: 'Probes that a measurement wants and that are not attached; bhlat check on the host says why.',
    queries: rows(sum(select('probe:bhlat_probe_missing:max'), 'instance, measurement, probe, kind')),
    columns: [host, ['measurement', 'measurement'], ['probe', 'probe'], ['kind', 'kind']],
  }),
  table({
    title: 'Versions', width: 8, description: 'The version of bhlat on each host, and since when the host runs.',
    queries: [
      rows(sum(select('instance:bhlat_build_info:max'), 'instance, version')),
      rows(`1000 * ${sum(select('instance:bhlat_boot_time_seconds:max'), 'instance')} * on (instance) group_left (version) ${sum(select('instance:bhlat_build_info:max'), 'instance, version')}`),
    ],
    columns: [host, ['version', 'bhlat'], ['Value #B', 'booted', { unit: 'dateTimeFromNow' }]],
  }),
  lines({
    title: 'What measuring costs, 10 dearest hosts', unit: 'percentunit', min: 0, width: 24, height: 7,
    description: 'Share of all CPUs of a host that bhlat\'s programs take; only hosts with sysctl kernel.bpf_stats_enabled=1.',
    queries: query(`topk(10, ${select('instance:bhlat_program_run_seconds:share5m')})`, '{{instance}}'),
  }),
);

export default dashboard({
  uid: UIDS.fleet,
  title: 'bhlat / Fleet overview',
  description: 'Which hosts of the fleet run deferred kernel work late, since when, and whether their numbers can be trusted.',
  recorded: true,
  time: 'now-24h',
  variables: [
    ...hostVariables('instance:bhlat_up:min'),
    labelVariable('work_class', select(`${LATENCY}:count_rate5m`), 'work_class', { title: 'Class' }),
    // Only softirqs have a vector: everything else has to match too.
    { ...labelVariable('vector', select(`${LATENCY}:count_rate5m`), 'vector', { title: 'Vector' }), allValue: '.*' },
  ],
  rows: [summary, regressions, latency, kernels, trust],
});
