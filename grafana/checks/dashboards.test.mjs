// SPDX-License-Identifier: Apache-2.0
//
// The dashboards as files: up to date, valid, and within the rules that keep them usable.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { dashboards, expressions, GRAFANA, interpolate, panels } from './dashboards.mjs';
import { validators } from './schema.mjs';

const all = dashboards();

it('there are four dashboards, whose uids and titles differ', () => {
  assert.equal(all.length, 4);
  assert.equal(new Set(all.map(({ dashboard }) => dashboard.uid)).size, 4);
  assert.equal(new Set(all.map(({ dashboard }) => dashboard.title)).size, 4);
});

it('the dashboards are what grafana/source makes', () => {
  execFileSync('node', ['source/build.mjs', '--check'], { cwd: GRAFANA, stdio: 'inherit' });
});

const schema = validators();

/** Names of the label matchers of each selector in an expression. */
function selectors(expr) {
  const found = [];
  parser.parse(expr).iterate({
    enter(node) {
      if (node.name === 'VectorSelector') {
        const text = expr.slice(node.from, node.to);
        found.push({ text, matchers: text.match(/\w+(?==~"\$)/g) ?? [] });
      }
    },
  });
  return found;
}

function syntaxErrors(expr) {
  const errors = [];
  parser.parse(expr).iterate({ enter: (node) => void (node.type.isError && errors.push(node.from)) });
  return errors;
}

for (const entry of all) {
  const { file, dashboard } = entry;
  describe(file, () => {
    it('is valid by Grafana\'s schema, version 42', () => {
      assert.equal(dashboard.schemaVersion, 42);
      schema.dashboard(dashboard);
    });

    it('has panels whose options are those of their type', () => panels(dashboard).forEach((panel) => schema.panel(panel)));

    it('cannot be edited in place, and has a description', () => {
      assert.equal(dashboard.editable, false);
      assert.ok(dashboard.description);
    });

    it('has panels with title, description, unit and the templated data source', () => {
      for (const panel of panels(dashboard)) {
        assert.ok(panel.title && panel.description, `panel ${panel.id}: title and description`);
        assert.equal(panel.datasource.uid, '$datasource', panel.title);
        panel.targets.forEach(({ datasource }) => assert.equal(datasource.uid, '$datasource', panel.title));
        const unit = panel.type === 'heatmap' ? panel.options.yAxis.unit : panel.fieldConfig.defaults.unit;
        const mapped = panel.fieldConfig.defaults.mappings?.length > 0;
        assert.ok(unit || mapped || panel.type === 'table', `${panel.title}: unit`);
      }
    });

    it('has a unit, a colour or a meaning for every column that is a number', () => {
      for (const panel of panels(dashboard).filter(({ type }) => type === 'table')) {
        const { renameByName } = panel.transformations.at(-1).options;
        const described = new Set(panel.fieldConfig.overrides.map(({ matcher }) => matcher.options));
        Object.entries(renameByName).filter(([field]) => field.startsWith('Value')).forEach(([, heading]) =>
          assert.ok(described.has(heading), `${panel.title}: ${heading}`));
      }
    });

    it('has the variables datasource, job and instance, and all hosts as .+', () => {
      const variables = new Map(dashboard.templating.list.map((variable) => [variable.name, variable]));
      assert.equal(variables.get('datasource').query, 'prometheus');
      for (const name of ['job', 'instance']) {
        const { multi, includeAll, allValue } = variables.get(name);
        assert.deepEqual({ multi, includeAll, allValue }, { multi: true, includeAll: true, allValue: '.+' }, name);
      }
    });

    it('has expressions that parse', () => {
      for (const { place, expr } of expressions(entry)) {
        assert.deepEqual(syntaxErrors(interpolate(expr)), [], `${place}: ${expr}`);
      }
    });

    it('selects job and instance in every selector', () => {
      for (const { place, expr, kind } of expressions(entry).filter((one) => one.kind !== 'variable')) {
        const found = selectors(interpolate(expr, { job: '$job', instance: '$instance' }));
        assert.ok(found.length > 0, place);
        found.forEach(({ text, matchers }) =>
          ['job', 'instance'].forEach((name) => assert.ok(matchers.includes(name), `${place} (${kind}): ${text} lacks ${name}`)));
      }
    });

    it('takes rates over $__rate_interval or the time shown', () => {
      for (const { place, expr, kind } of expressions(entry)) {
        for (const [, over] of expr.matchAll(/\[([^\]]+)\]/g)) {
          assert.ok(kind === 'annotation' ? over === '1d' : ['$__rate_interval', '$__range'].includes(over), `${place}: [${over}]`);
        }
      }
    });

    it('draws heatmaps of native histograms as they are', () => {
      for (const panel of panels(dashboard).filter(({ type }) => type === 'heatmap')) {
        assert.equal(panel.options.calculate, false, panel.title);
        assert.equal(panel.targets[0].format, 'heatmap', panel.title);
        assert.match(panel.targets[0].expr, /^sum\(\(?rate\(.*\[\$__rate_interval\]/, panel.title);
      }
    });

    it('places panels beside each other, not above', () => {
      const cells = new Set();
      for (const { title, gridPos: { x, y, w, h } } of dashboard.panels) {
        assert.ok(x + w <= 24, title);
        for (let cell = 0; cell < w * h; cell++) {
          const key = `${x + (cell % w)},${y + Math.floor(cell / w)}`;
          assert.ok(!cells.has(key), `${title} overlaps at ${key}`);
          cells.add(key);
        }
      }
    });

    it('links to the other dashboards', () => {
      const urls = dashboard.links.map(({ url }) => url);
      all.filter((other) => other.file !== file).forEach((other) => assert.ok(urls.includes(`/d/${other.dashboard.uid}`)));
      const uids = JSON.stringify(dashboard).match(/\/d\/[\w-]+/g);
      uids.forEach((url) => assert.ok(all.some((other) => url === `/d/${other.dashboard.uid}`), url));
    });

    it('marks kernel changes and reboots', () => {
      assert.deepEqual(dashboard.annotations.list.slice(1).map(({ name }) => name), ['Kernel change', 'Reboot']);
    });
  });
}

it('the preview draws every type of panel', () => {
  const [, drawn] = /const DRAW = {(.*)};/.exec(readFileSync(`${GRAFANA}preview/page/page.mjs`, 'utf8'));
  all.flatMap(({ dashboard }) => panels(dashboard)).forEach(({ type, title }) => assert.match(drawn, new RegExp(`\\b${type}'?:`), title));
});

it('the fleet overview reads recorded series only', () => {
  const fleet = all.find(({ dashboard }) => dashboard.uid === 'bhlat-fleet');
  for (const { place, expr } of expressions(fleet)) {
    selectors(interpolate(expr)).forEach(({ text }) => assert.match(text, /^\w+:\w+:\w+(\{|$)/, place));
  }
});
