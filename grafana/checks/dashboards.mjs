// SPDX-License-Identifier: Apache-2.0
//
// The committed dashboards, and every expression in them with its place.

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const GRAFANA = fileURLToPath(new URL('..', import.meta.url));

/** All dashboards: {file, dashboard}. */
export function dashboards() {
  const folder = `${GRAFANA}dashboards`;
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ file, dashboard: JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) }));
}

/** Panels without the rows that head them. */
export const panels = (dashboard) => dashboard.panels.filter(({ type }) => type !== 'row');

/** Every expression: {place, expr, kind}; kind is panel, annotation or variable (a selector then). */
export function expressions({ file, dashboard }) {
  const name = file.replace('.json', '');
  return [
    ...panels(dashboard).flatMap(({ title, targets }) =>
      targets.map(({ refId, expr, instant }) => ({ place: `${name} / ${title} / ${refId}`, expr, kind: 'panel', instant }))),
    ...dashboard.annotations.list
      .filter(({ target }) => target)
      .map(({ name: title, target }) => ({ place: `${name} / annotation ${title}`, expr: target.expr, kind: 'annotation' })),
    ...dashboard.templating.list
      .filter(({ type }) => type === 'query')
      .map(({ name: title, query }) => ({ place: `${name} / variable ${title}`, ...labelValues(query.query), kind: 'variable' })),
  ];
}

/** The series and the label of label_values(series, label). */
function labelValues(query) {
  const [, expr, label] = /^label_values\((.*), (\w+)\)$/.exec(query);
  return { expr, label };
}

/** An expression with the values that Grafana would put in. */
export function interpolate(expr, variables = {}) {
  const values = { __rate_interval: '1m', __interval: '15s', __range: '2m', __range_s: '120', shift_a: '1ms', ...variables };
  return expr.replace(/\$(\w+)/g, (_, name) => values[name] ?? (name === 'vector' ? '.*' : '.+'));
}
