// SPDX-License-Identifier: Apache-2.0
//
// Draws a dashboard with the data of a Prometheus into a PNG, in headless Chromium. Grafana itself is
// not needed; units, themes and transformations are its own (@grafana/data), the panels are ours.
//
//   node render.mjs --dashboard host --prometheus http://127.0.0.1:9090 --out host.png
//       [--minutes 60] [--until UNIX_SECONDS] [--light] [--width 1600] [--scrape-seconds 15]
//       [--rows "Host,Softirqs"] [--var instance=lab-17]... [--chromium /usr/bin/chromium]

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { View } from './data.mjs';

const { values } = parseArgs({
  options: {
    dashboard: { type: 'string', default: 'host' },
    prometheus: { type: 'string', default: 'http://127.0.0.1:9090' },
    out: { type: 'string', default: 'preview.png' },
    minutes: { type: 'string', default: '60' },
    until: { type: 'string' },
    light: { type: 'boolean', default: false },
    width: { type: 'string', default: '1600' },
    scale: { type: 'string', default: '1' },
    'scrape-seconds': { type: 'string', default: '15' },
    rows: { type: 'string' },
    var: { type: 'string', multiple: true, default: [] },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const dashboard = JSON.parse(readFileSync(here(`../dashboards/${values.dashboard}.json`), 'utf8'));

/** Only the named rows, moved up. */
function chosenRows(panels, names) {
  const chosen = [];
  let on = false;
  let end = 0;
  let shift = 0;
  for (const panel of panels) {
    if (panel.type === 'row') {
      on = names.includes(panel.title);
      shift = panel.gridPos.y - end;
    }
    if (on) {
      chosen.push({ ...panel, gridPos: { ...panel.gridPos, y: panel.gridPos.y - shift } });
      end = Math.max(end, panel.gridPos.y - shift + panel.gridPos.h);
    }
  }
  return chosen;
}

const to = Math.floor(values.until ?? Date.now() / 1000);
const view = new View(dashboard, {
  url: values.prometheus, from: to - 60 * values.minutes, to, scrapeSeconds: Number(values['scrape-seconds']),
  variables: Object.fromEntries(values.var.map((text) => text.split(/=(.*)/s).slice(0, 2))),
});
await view.resolve();
const panels = await view.panels();
const scene = {
  title: dashboard.title,
  variables: dashboard.templating.list.filter(({ type }) => type !== 'datasource').map(({ name, label }) => [label, view.values.get(name).replace(/^\.[+*]$/, 'All')]),
  from: view.from, to: view.to, dark: !values.light, annotations: await view.annotations(),
  panels: values.rows ? chosenRows(panels, values.rows.split(',')) : panels,
};

const bundle = await build({ entryPoints: [here('page/page.mjs')], bundle: true, write: false, format: 'iife', loader: { '.css': 'text', '.svg': 'text' }, define: { 'process.env.NODE_ENV': '"production"', global: 'window' }, logLevel: 'error' });
const profile = mkdtempSync(`${tmpdir()}/bhlat-preview-`);
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: values.chromium, headless: true, viewport: { width: Number(values.width), height: 900 }, deviceScaleFactor: Number(values.scale),
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'],
});
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(`page: ${error.stack}`));
  page.on('console', (message) => message.type() === 'error' && console.error(`page: ${message.text()}`));
  await page.setContent('<!doctype html><meta charset="utf-8"><body></body>');
  await page.addScriptTag({ content: bundle.outputFiles[0].text });
  await page.evaluate((what) => window.draw(what), scene);
  await page.screenshot({ path: values.out, fullPage: true });
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
console.log(`${values.out}: ${scene.panels.length} panels`);
