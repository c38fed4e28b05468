// SPDX-License-Identifier: Apache-2.0
//
// Every expression against a real Prometheus that scrapes the real agent under load. What is empty there
// must be listed with the reason; and it must have data of the made-up fleet, so that the list hides no
// wrong expression. The rules run there too.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dashboards, expressions, interpolate } from './dashboards.mjs';
import { api, laboratory, sleep } from './lab.mjs';

/** Empty on the machine that tests, [pattern of the place, reason]. */
const EMPTY_HERE = [
  [/annotation/, 'nothing rebooted and no kernel changed meanwhile; annotations.test.mjs shows when they appear'],
  [/^infiniband/, 'this machine has no InfiniBand adapter'],
  [/by adapter/, 'this machine has no InfiniBand adapter'],
  [/Time in add_interrupt_randomness/, 'where the kernel has neither kprobes nor fentry this is not measured'],
  [/Waiting for max_active/, 'no work item had to wait'],
  [/Samples lost|Probes missing \/ A$/, 'nothing is lost and no probe is missing, as it should be'],
  [/run by a thread|in a thread/, 'without much load ksoftirqd runs nothing'],
];
/** Empty even of the made-up fleet. */
const EMPTY_EVERYWHERE = [EMPTY_HERE[0]];
const matches = (list, place) => list.find(([pattern]) => pattern.test(place));

/** Whether the answer has a value that is a number, or a histogram. */
const hasValues = ({ result }) =>
  result.some(({ value, values, histogram, histograms }) =>
    histogram || histograms?.length || [value, ...(values ?? [])].some((sample) => sample && sample[1] !== 'NaN'));

let lab;
const all = dashboards().flatMap(expressions);

async function evaluate({ expr, kind, instant, label }, job) {
  const interpolated = interpolate(expr, { job, __rate_interval: '30s', __range: '1m' });
  if (kind === 'variable') {
    const series = await api(lab.url, 'series', { 'match[]': interpolated.includes('{') ? interpolated : `${interpolated}{job="${job}"}` });
    return series.some((labels) => label in labels);
  }
  const end = Date.now() / 1000;
  return hasValues(instant
    ? await api(lab.url, 'query', { query: interpolated, time: end })
    : await api(lab.url, 'query_range', { query: interpolated, start: end - 20, end, step: 5 }));
}

/** Places without data of a job; asked again for a while if one of them is not among those listed, for a
 * slow machine needs longer until every class has run and every rule has been evaluated twice. */
async function empty(job, listed) {
  let left = all;
  for (let tries = 0; tries < 8; tries++) {
    const still = [];
    for (const expression of left) {
      if (!(await evaluate(expression, job))) {
        still.push(expression);
      }
    }
    left = still;
    if (left.every(({ place }) => matches(listed, place))) {
      break;
    }
    await sleep(10_000);
  }
  return left.map(({ place }) => place);
}

const skip = process.getuid() !== 0 && 'not root: the agent cannot measure this kernel';

describe('with a real Prometheus and the real agent', { skip }, () => {
  before(async () => {
    lab = await laboratory();
    await sleep(35_000);
  }, { timeout: 120_000 });
  after(() => lab?.stop());

  it('all hosts are scraped', async () => {
    const { activeTargets } = await api(lab.url, 'targets');
    assert.equal(activeTargets.length, 7);
    assert.deepEqual(activeTargets.filter(({ health }) => health !== 'up').map(({ scrapeUrl, lastError }) => `${scrapeUrl}: ${lastError}`), []);
  });

  it('every expression has data of the agent, or a reason is listed', async (context) => {
    const places = await empty('bhlat', EMPTY_HERE);
    assert.deepEqual(places.filter((place) => !matches(EMPTY_HERE, place)), []);
    context.diagnostic(`${all.length} expressions, ${all.length - places.length} with data of the agent`);
    places.forEach((place) => context.diagnostic(`empty here: ${place}: ${matches(EMPTY_HERE, place)[1]}`));
  });

  it('every reason that is listed is of an expression', () =>
    EMPTY_HERE.forEach(([pattern]) => assert.ok(all.some(({ place }) => pattern.test(place)), String(pattern))));

  it('every expression has data of the made-up fleet', async () =>
    assert.deepEqual((await empty('bhlat-made', EMPTY_EVERYWHERE)).filter((place) => !matches(EMPTY_EVERYWHERE, place)), []));

  it('every rule is evaluated, and every recorded series has samples', async () => {
    const { groups } = await api(lab.url, 'rules');
    const rules = groups.flatMap((group) => group.rules);
    assert.ok(rules.length > 25);
    assert.deepEqual(rules.filter(({ health }) => health !== 'ok').map(({ name, lastError }) => `${name}: ${lastError}`), []);
    for (const { name } of rules.filter(({ type }) => type === 'recording')) {
      assert.ok(hasValues(await api(lab.url, 'query', { query: name })), name);
    }
  });

  it('the alerts that the fleet is made for are pending or firing', async () => {
    const { alerts } = await api(lab.url, 'alerts');
    const names = new Set(alerts.map(({ labels }) => labels.alertname));
    ['BhlatProbeMissing', 'BhlatLosingSamples'].forEach((name) => assert.ok(names.has(name), name));
  });

  it('the metrics of the made-up fleet are the agent\'s', async () => {
    const labelsOf = async (job) => {
      const series = await api(lab.url, 'series', { 'match[]': `{job="${job}", __name__=~"bhlat_.+"}` });
      return new Map(series.map(({ __name__, job: _, instance, site, ...labels }) => [__name__, Object.keys(labels).sort().join()]));
    };
    const [real, made] = [await labelsOf('bhlat'), await labelsOf('bhlat-made')];
    for (const [name, labels] of made) {
      if (real.has(name)) {
        assert.equal(labels, real.get(name), name);
      }
    }
    assert.ok([...made.keys()].filter((name) => real.has(name)).length > 15);
  });
});
