// SPDX-License-Identifier: Apache-2.0
//
// Serves made-up hosts in the daemon's exposition, to measure what a fleet costs Prometheus and to draw
// dashboards of more hosts than are at hand. Each host has a path: /host-7/metrics.
//
//   node scale/serve.mjs [--port N] [--hosts N] [--cpus N] [--functions N] [--change-after SECONDS]
//                        [--targets FILE]
//
// --targets writes a file for Prometheus's file service discovery. Half of the hosts have an InfiniBand
// adapter; when --change-after is over, some get a kernel that makes them late. Listens on loopback.

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import protobuf from 'protobufjs';
import { fleet } from './fleet.mjs';
import { families } from './host.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9972' },
    hosts: { type: 'string', default: '20' },
    cpus: { type: 'string', default: '64' },
    functions: { type: 'string', default: '64' },
    'change-after': { type: 'string', default: 'Infinity' },
    targets: { type: 'string' },
  },
});
const { port, hosts, cpus, functions } = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Number(value)]));

const proto = await protobuf.load(fileURLToPath(new URL('metrics.proto', import.meta.url)));
const MetricFamily = proto.lookupType('io.prometheus.client.MetricFamily');
const types = proto.lookupEnum('io.prometheus.client.MetricType').values;

const start = Date.now() / 1000;
const all = fleet({ hosts, cpus, functions, start, changeAt: start + Number(values['change-after']) });

function exposition(host) {
  const parts = families(host, Date.now() / 1000).map((family) =>
    MetricFamily.encodeDelimited(MetricFamily.create({ ...family, type: types[family.type] })).finish());
  return Buffer.concat(parts);
}

const server = createServer((request, response) => {
  const host = all.get(request.url.split('/')[1]);
  if (!host) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited' });
  response.end(exposition(host));
});
server.listen(port, '127.0.0.1', () => {
  const address = `127.0.0.1:${server.address().port}`;
  if (values.targets) {
    const targets = [...all.keys()].map((name) => ({ targets: [address], labels: { __metrics_path__: `/${name}/metrics`, instance: name } }));
    writeFileSync(values.targets, JSON.stringify(targets, null, 2));
  }
  console.log(`serving ${hosts} hosts of ${cpus} CPUs on http://${address}/host-0/metrics`);
});
