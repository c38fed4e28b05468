// SPDX-License-Identifier: Apache-2.0
//
// Writes a past of the made-up fleet's recorded series (rules/recording.yaml) in OpenMetrics text, for
// promtool tsdb create-blocks-from openmetrics: what the fleet overview reads, for as many hosts and as
// long as wanted. Hosts that regress do so when a quarter of the time is left.
//
//   node scale/history.mjs [--hosts N] [--hours N] [--step SECONDS] > history.om
//   promtool tsdb create-blocks-from --max-block-duration=24h openmetrics history.om DATA

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { chance, fleet } from './fleet.mjs';

const { values } = parseArgs({ options: { hosts: { type: 'string', default: '40' }, hours: { type: 'string', default: '24' }, step: { type: 'string', default: '240' }, until: { type: 'string' } } });
const [hosts, hours, step] = [values.hosts, values.hours, values.step].map(Number);
const end = Math.floor((values.until ?? Date.now() / 1000) / step) * step;
const begin = end - hours * 3600;
const changeAt = Math.floor((end - hours * 900) / step) * step;

const P99 = {
  'workqueue,': 190e-6, 'tasklet,': 52e-6, 'softirq,HI': 150e-6, 'softirq,TIMER': 970e-6, 'softirq,NET_TX': 81e-6, 'softirq,NET_RX': 162e-6,
  'softirq,BLOCK': 243e-6, 'softirq,TASKLET': 324e-6, 'softirq,SCHED': 1.1e-3, 'softirq,RCU': 1.3e-3,
};
const MIXING = { timer: 14e-3, workqueue: 580e-6, tasklet: 38e-6 };
const LATE = new Set(['workqueue,', 'tasklet,', 'softirq,NET_RX', 'softirq,TASKLET', 'softirq,TIMER']);

/** Bursts and the ups and downs of a day around 1. */
const noise = (key, time) => Math.exp(0.12 * (chance(`${key} ${time}`) - 0.5) + 0.08 * Math.sin((2 * Math.PI * time) / 86400 + 6 * chance(key)));

function line(name, labels, time, value) {
  const text = Object.entries(labels).map(([label, of]) => `${label}="${of}"`).join(',');
  return `${name}{${text}} ${value} ${time}\n`;
}

function* latency(host, time, changed, labels) {
  const name = 'work_class:bhlat_queue_latency_seconds';
  const mechanism = changed ? host.changed.mechanism : host.mechanism;
  for (const [key, usual] of Object.entries({ ...P99, 'fast_pool,': MIXING[mechanism] })) {
    const [work_class, vector] = key.split(',');
    const own = { ...labels, work_class, ...(vector && { vector }) };
    const before = key === 'fast_pool,' ? MIXING[host.mechanism] : usual;
    const factor = changed && LATE.has(key) ? host.changed.factor * 0.6 : 1;
    const now = usual * factor * noise(`${host.name} ${key}`, time);
    yield line(`${name}:p99_5m`, own, time, now);
    yield line(`${name}:count_rate5m`, own, time, 40 * noise(key, time));
    yield line(`${name}:p99_1h`, own, time, usual * factor * noise(`${host.name} ${key}`, Math.floor(time / 3600)));
    yield line(`${name}:p99_1h_week`, own, time, before);
    yield line(`${name}:p99_1h_of_week`, own, time, (usual * factor * noise(`${host.name} ${key}`, Math.floor(time / 3600))) / before);
  }
}

/** What is recorded of a host at a time. */
function* recorded(host, time) {
  const changed = time >= host.changeAt;
  if (changed && time < host.changeAt + step) {
    return; // it boots
  }
  const labels = { job: 'bhlat', instance: host.name };
  yield* latency(host, time, changed, labels);
  const mechanism = changed ? host.changed.mechanism : host.mechanism;
  yield line('instance:bhlat_up:min', labels, time, 1);
  yield line('instance:bhlat_kernel_info:max', { ...labels, release: changed ? host.changed.release : host.release, preempt_rt: 'false', fast_pool_mechanism: mechanism }, time, 1);
  yield line('instance:bhlat_build_info:max', { ...labels, version: '0.1.0' }, time, 1);
  yield line('instance:bhlat_boot_time_seconds:max', labels, time, changed ? host.changeAt : host.start - 86400);
  yield line('instance:bhlat_cpus:count', labels, time, 64);
  yield line('instance:bhlat_probes_missing:count', labels, time, host.missing ? 1 : 0);
  yield line('instance:bhlat_collectors_failing:count', labels, time, 0);
  yield line('instance:bhlat_program_run_seconds:share5m', labels, time, 3e-4 * noise(host.name, time));
  yield line('work_class:bhlat_lost_samples:ratio5m', { ...labels, work_class: 'workqueue' }, time, host.losing ? 0.02 : 0);
  if (host.losing) {
    yield line('reason:bhlat_lost_samples:rate5m', { ...labels, work_class: 'workqueue', reason: 'pending_full' }, time, 20);
  }
  if (host.missing) {
    yield line('probe:bhlat_probe_missing:max', { ...labels, measurement: 'tasklet', probe: 'tasklet_entry', kind: 'raw_tracepoint' }, time, 0);
  }
}

/** All of it, in pieces that a pipe can follow. */
function* text() {
  for (const host of fleet({ hosts, cpus: 64, functions: 64, start: begin, changeAt }).values()) {
    for (let time = begin; time <= end; time += step) {
      yield [...recorded(host, time)].join('');
    }
  }
  yield '# EOF\n';
}

await pipeline(Readable.from(text()), process.stdout);
