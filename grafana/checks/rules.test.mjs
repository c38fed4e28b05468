// SPDX-License-Identifier: Apache-2.0
//
// Rules, configuration and provisioning: accepted by promtool, with the results that are written down,
// and with a runbook for every alert. Annotations are tried here too, on a history that has what they mark.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { dashboards, expressions, GRAFANA, interpolate } from './dashboards.mjs';
import { program } from './lab.mjs';

const promtool = (...args) => execFileSync(program('promtool'), args, { cwd: GRAFANA, encoding: 'utf8', stdio: 'pipe' });
const yaml = (file) => parse(readFileSync(`${GRAFANA}${file}`, 'utf8'));

const [, major, minor] = /version (\d+)\.(\d+)/.exec(promtool('--version'));
const tooOld = Number(major) * 1000 + Number(minor) < 2053
  && `promtool ${major}.${minor} cannot parse native series; 2.53 or later can`;

it('promtool accepts configuration and rules', () => {
  promtool('check', 'config', 'prometheus.yml');
  promtool('check', 'rules', 'rules/recording.yaml', 'rules/alerts.yaml');
});

it('the rules give what rules/tests says', { skip: tooOld }, () => promtool('test', 'rules', 'rules/tests/rules.yaml'));

it('every alert has a severity, a summary and a runbook that exists', () => {
  const headings = readFileSync(`${GRAFANA}../docs/TROUBLESHOOTING.md`, 'utf8').match(/^### .*$/gm);
  const anchors = new Set(headings.map((heading) => heading.slice(4).toLowerCase()));
  for (const { alert, labels, annotations } of yaml('rules/alerts.yaml').groups.flatMap(({ rules }) => rules)) {
    assert.ok(labels.severity && annotations.summary, alert);
    assert.equal(annotations.runbook_url, `docs/TROUBLESHOOTING.md#${alert.toLowerCase()}`);
    assert.ok(anchors.has(alert.toLowerCase()), `docs/TROUBLESHOOTING.md: no heading ### ${alert}`);
  }
});

it('every alert has a test', () => {
  const tested = readFileSync(`${GRAFANA}rules/tests/rules.yaml`, 'utf8');
  yaml('rules/alerts.yaml').groups.flatMap(({ rules }) => rules).forEach(({ alert }) => assert.ok(tested.includes(`alertname: ${alert}\n`), alert));
});

it('the recorded series that dashboards and alerts read are recorded', () => {
  const recorded = new Set(yaml('rules/recording.yaml').groups.flatMap(({ rules }) => rules.map(({ record }) => record)));
  const alerts = yaml('rules/alerts.yaml').groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  const read = [...alerts, ...dashboards().flatMap(expressions).map(({ expr }) => expr)].flatMap((expr) => expr.match(/\w+:bhlat_\w+:\w+/g) ?? []);
  assert.deepEqual([...new Set(read)].filter((name) => !recorded.has(name)), []);
});

it('the provisioning files name one data source and one folder of dashboards', () => {
  const [source] = yaml('provisioning/datasources/prometheus.yaml').datasources;
  assert.equal(source.type, 'prometheus');
  assert.equal(source.jsonData.timeInterval, yaml('prometheus.yml').global.scrape_interval);
  assert.equal(yaml('provisioning/dashboards/bhlat.yaml').providers[0].type, 'file');
  assert.ok(readdirSync(`${GRAFANA}dashboards`).length > 0);
});

/** At minute 30 host a gets another kernel and reboots; host b appears; host c's clock moves a second. */
const history = (info, boot) => [
  { series: `${info}{job="bhlat", instance="a", release="6.1", fast_pool_mechanism="workqueue"}`, values: '1x30 _x60' },
  { series: `${info}{job="bhlat", instance="a", release="6.12", fast_pool_mechanism="timer"}`, values: '_x32 1x60' },
  { series: `${info}{job="bhlat", instance="b", release="6.12", fast_pool_mechanism="timer"}`, values: '_x32 1x60' },
  { series: `${info}{job="bhlat", instance="c", release="6.12", fast_pool_mechanism="timer"}`, values: '1x90' },
  { series: `${boot}{job="bhlat", instance="a"}`, values: '1000x30 _ 2800x60' },
  { series: `${boot}{job="bhlat", instance="b"}`, values: '_x32 2800x60' },
  { series: `${boot}{job="bhlat", instance="c"}`, values: '1000x30 1001x60' },
];

describe('annotations', { skip: tooOld }, () => {
  for (const { place, expr } of dashboards().flatMap(expressions).filter(({ kind }) => kind === 'annotation')) {
    it(`${place} marks the host that changed, when it did, and no other`, () => {
      const recorded = place.startsWith('fleet');
      const query = (at, samples) => ({ expr: `count by (instance) (${interpolate(expr)})`, eval_time: at, exp_samples: samples });
      const test = {
        evaluation_interval: '1m',
        tests: [{
          interval: '1m',
          input_series: history(...(recorded ? ['instance:bhlat_kernel_info:max', 'instance:bhlat_boot_time_seconds:max'] : ['bhlat_kernel_info', 'bhlat_boot_time_seconds'])),
          promql_expr_test: [query('20m', []), query('35m', [{ labels: '{instance="a"}', value: 1 }]), query('60m', [])],
        }],
      };
      const folder = mkdtempSync(`${tmpdir()}/bhlat-annotations-`);
      try {
        writeFileSync(`${folder}/test.yaml`, stringify(test));
        promtool('test', 'rules', `${folder}/test.yaml`);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
