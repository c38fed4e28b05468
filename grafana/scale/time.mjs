// SPDX-License-Identifier: Apache-2.0
//
// How long Prometheus takes for each query of a dashboard, one after the other, as Grafana would ask on a
// page of 1,600 pixels.
//
//   node scale/time.mjs [--prometheus URL] [--dashboard fleet] [--hours 6] [--until UNIX_SECONDS] [--var instance=HOST]...

import { parseArgs } from 'node:util';
import { api } from '../checks/lab.mjs';
import { dashboards, panels } from '../checks/dashboards.mjs';
import { View } from '../preview/data.mjs';

const { values } = parseArgs({
  options: {
    prometheus: { type: 'string', default: 'http://127.0.0.1:9090' }, dashboard: { type: 'string', default: 'fleet' },
    hours: { type: 'string', default: '6' }, until: { type: 'string' }, var: { type: 'string', multiple: true, default: [] },
  },
});
const to = Math.floor(values.until ?? Date.now() / 1000);
const { dashboard } = dashboards().find(({ file }) => file === `${values.dashboard}.json`);
const view = new View(dashboard, {
  url: values.prometheus, from: to - 3600 * values.hours, to, scrapeSeconds: 15,
  variables: Object.fromEntries(values.var.map((text) => text.split(/=(.*)/s).slice(0, 2))),
});

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [(performance.now() - start) / 1000, result];
}

const [variables] = await timed(() => view.resolve());
console.log(`${variables.toFixed(2)} s  variables`);
let total = variables;
for (const panel of panels(dashboard)) {
  for (const target of panel.targets) {
    const [seconds, { series }] = await timed(() => view.query(target, panel, {}));
    total += seconds;
    console.log(`${seconds.toFixed(2)} s  ${panel.title} / ${target.refId}: ${series.length} series`);
  }
}
console.log(`${total.toFixed(2)} s  in all`);
const [hosts] = (await api(values.prometheus, 'query', { query: 'count(instance:bhlat_up:min)', time: to })).result;
console.log(`${hosts?.value[1] ?? 0} hosts`);
