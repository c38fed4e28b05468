// SPDX-License-Identifier: Apache-2.0
//
// Writes the dashboards into ../dashboards. With --check writes nothing, and fails if a file is not
// what it would write.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import compare from './compare.mjs';
import fleet from './fleet.mjs';
import host from './host.mjs';
import infiniband from './infiniband.mjs';

const check = process.argv.includes('--check');
let stale = 0;
for (const [name, dashboard] of Object.entries({ fleet, host, compare, infiniband })) {
  const file = fileURLToPath(new URL(`../dashboards/${name}.json`, import.meta.url));
  const text = `${JSON.stringify(dashboard, null, 2)}\n`;
  const same = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (!same && check) {
    console.error(`grafana/dashboards/${name}.json is not what grafana/source makes; run: npm run build`);
    stale += 1;
  } else if (!same) {
    writeFileSync(file, text);
  }
}
process.exitCode = stale ? 1 : 0;
