// SPDX-License-Identifier: Apache-2.0
//
// What Grafana's server side does for a dashboard: values of variables, repeated panels, queries.

import { api } from '../checks/lab.mjs';

/** Grafana's look for the scrape interval: a rate needs four of them. */
const RATE_SCRAPES = 4;

/** A dashboard's view: times in seconds, and what its variables stand for. */
export class View {
  constructor(dashboard, { url, from, to, scrapeSeconds, variables }) {
    Object.assign(this, { dashboard, url, from, to, scrapeSeconds });
    this.chosen = variables;
    this.options = new Map();
    this.values = new Map();
  }

  /** Asks for the values of all variables, in order: later ones depend on earlier ones. */
  async resolve() {
    for (const variable of this.dashboard.templating.list) {
      const { name, type } = variable;
      if (type === 'query') {
        const [, series, label] = /^label_values\((.*), (\w+)\)$/.exec(variable.query.query);
        const found = await api(this.url, 'series', { 'match[]': this.interpolate(series), start: this.from, end: this.to });
        const options = [...new Set(found.map((labels) => labels[label]).filter(Boolean))].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
        this.options.set(name, this.chosen[name]?.split(',') ?? options);
        this.values.set(name, this.chosen[name]?.split(',').join('|') ?? variable.allValue ?? options[0]);
      } else if (type === 'custom') {
        this.values.set(name, this.chosen[name] ?? variable.current.value);
      }
    }
    return this;
  }

  interpolate(text, more = {}) {
    return text.replace(/\$(\w+)/g, (whole, name) => more[name] ?? this.values.get(name) ?? whole);
  }

  /** Panels with their data, repeated ones as often as their variable has values. */
  async panels() {
    const placed = [];
    let down = 0;
    for (const panel of this.dashboard.panels) {
      const values = panel.repeat ? this.options.get(panel.repeat) : [undefined];
      const perRow = panel.maxPerRow ?? 1;
      const width = panel.repeat ? 24 / Math.min(perRow, Math.max(values.length, 1)) : panel.gridPos.w;
      for (const [index, value] of values.entries()) {
        const own = value === undefined ? {} : { [panel.repeat]: value };
        const x = panel.repeat ? (index % perRow) * width : panel.gridPos.x;
        const y = panel.gridPos.y + down + Math.floor(index / perRow) * panel.gridPos.h;
        placed.push(await this.fill({ ...panel, title: this.interpolate(panel.title, own), gridPos: { ...panel.gridPos, x, y, w: width } }, own));
      }
      if (panel.repeat) {
        down += (Math.ceil(values.length / perRow) - 1) * panel.gridPos.h;
      }
    }
    return placed;
  }

  async fill(panel, own) {
    const results = await Promise.all((panel.targets ?? []).map((target) => this.query(target, panel, own)));
    return { ...panel, results };
  }

  async query({ refId, expr, instant, legendFormat, format }, { gridPos, maxDataPoints = gridPos.w * 40 }, own) {
    const step = Math.max(this.scrapeSeconds, Math.ceil((this.to - this.from) / maxDataPoints));
    const query = this.interpolate(expr, {
      ...own, __rate_interval: `${Math.max(step + this.scrapeSeconds, RATE_SCRAPES * this.scrapeSeconds)}s`,
      __interval: `${step}s`, __range: `${Math.round(this.to - this.from)}s`, __range_s: String(Math.round(this.to - this.from)),
    });
    const { result } = instant
      ? await api(this.url, 'query', { query, time: this.to })
      : await api(this.url, 'query_range', { query, start: this.from, end: this.to, step });
    return { refId, legendFormat, format, step, series: result };
  }

  /** [{time, text, color}] of the annotations. */
  async annotations() {
    const marks = [];
    for (const { target, titleFormat, iconColor } of this.dashboard.annotations.list.filter((one) => one.target)) {
      const step = 60;
      const { result } = await api(this.url, 'query_range', { query: this.interpolate(target.expr), start: this.from, end: this.to, step });
      for (const { metric, values } of result) {
        const text = titleFormat.replace(/{{(\w+)}}/g, (_, label) => metric[label] ?? '');
        // Grafana makes one region of samples that follow each other: its begin is what counts here.
        values.filter(([time], index) => index === 0 || time - values[index - 1][0] > step)
          .forEach(([time]) => marks.push({ time, text, color: iconColor }));
      }
    }
    return marks;
  }
}
