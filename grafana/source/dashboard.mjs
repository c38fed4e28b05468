// SPDX-License-Identifier: Apache-2.0
//
// What the dashboards have in common: variables, links between them, annotations, and the places of
// their panels.

import { DATASOURCE } from './panels.mjs';
import { select } from './promql.mjs';

export const SCHEMA_VERSION = 42;
export const UIDS = { fleet: 'bhlat-fleet', host: 'bhlat-host', compare: 'bhlat-compare', infiniband: 'bhlat-infiniband' };

const datasource = {
  type: 'datasource', name: 'datasource', label: 'Data source', query: 'prometheus',
  description: 'A Prometheus that stores native histograms', hide: 0, multi: false, includeAll: false,
  options: [], refresh: 1, regex: '', skipUrlSync: false,
};

/** Values of a label. options: multi and all (default true), label, description, hide. */
export function labelVariable(name, series, label, options = {}) {
  const { multi = true, all = true, title = name, description, regex = '' } = options;
  return {
    type: 'query', name, label: title, description, datasource: DATASOURCE,
    query: { query: `label_values(${series}, ${label})`, refId: name, qryType: 1 },
    multi, includeAll: all, ...(all && { allValue: '.+' }), refresh: 2, sort: 3, regex,
    ...(all && { current: { text: ['All'], value: ['$__all'] } }),
    hide: 0, options: [], skipUrlSync: false,
  };
}

/** One of fixed values, each [text, value]. */
export function choice(name, title, description, values) {
  const options = values.map(([text, value], index) => ({ text, value, selected: index === 0 }));
  return {
    type: 'custom', name, label: title, description, query: values.map(([text, value]) => `${text} : ${value}`).join(', '),
    current: { text: options[0].text, value: options[0].value },
    options,
    multi: false, includeAll: false, hide: 0, skipUrlSync: false,
  };
}

/** datasource, job and instance; series: what the hosts are listed from. */
export function hostVariables(series = 'bhlat_build_info', options = {}) {
  return [
    datasource,
    labelVariable('job', series, 'job', { title: 'Job' }),
    labelVariable('instance', `${series}{job=~"$job"}`, 'instance', { title: 'Host', ...options }),
  ];
}

/** Query of an annotation that is put wherever it gives a result. */
function annotation(name, iconColor, titleFormat, textFormat, tagKeys, expr) {
  return {
    name, datasource: DATASOURCE, enable: true, hide: false, iconColor,
    target: { refId: 'Anno', expr, interval: '60s' }, titleFormat, textFormat, tagKeys, useValueForTime: false,
  };
}

// New within these five minutes, while the day before had another one: not when a host is new.
const kernelChange = (series) => {
  const before = `last_over_time(${select(series)}[1d] offset 5m)`;
  return `${select(series)} unless on (job, instance, release) ${before} and on (job, instance) ${before}`;
};

// The time of boot is read by the second, and moves a little when the clock is set.
const reboot = (series) =>
  `${select(series)} - on (job, instance) max by (job, instance) (last_over_time(${select(series)}[1d] offset 5m)) > 30`;

function annotations(recorded) {
  const [kernel, boot] = recorded
    ? ['instance:bhlat_kernel_info:max', 'instance:bhlat_boot_time_seconds:max']
    : ['bhlat_kernel_info', 'bhlat_boot_time_seconds'];
  return {
    list: [
      {
        builtIn: 1, datasource: { type: 'grafana', uid: '-- Grafana --' }, enable: true, hide: true,
        iconColor: 'rgba(0, 211, 255, 1)', name: 'Annotations & Alerts', type: 'dashboard',
      },
      annotation('Kernel change', 'purple', 'Kernel {{release}}', '{{instance}} runs {{release}}, fast pool by {{fast_pool_mechanism}}', 'instance,release', kernelChange(kernel)),
      annotation('Reboot', 'orange', 'Reboot', '{{instance}} booted', 'instance', reboot(boot)),
    ],
  };
}

const titles = { [UIDS.fleet]: 'Fleet', [UIDS.host]: 'Host', [UIDS.compare]: 'A/B', [UIDS.infiniband]: 'InfiniBand' };

function links(own) {
  return Object.entries(titles)
    .filter(([uid]) => uid !== own)
    .map(([uid, title]) => ({
      type: 'link', title, url: `/d/${uid}`, icon: 'dashboard', tooltip: `bhlat: ${title}`, tags: [],
      asDropdown: false, includeVars: uid !== UIDS.compare, keepTime: true, targetBlank: false,
    }));
}

/** A link to the page of a host, from a row that has its name in a field. */
export function toHost(field = 'instance') {
  return [{
    title: 'Open this host', targetBlank: false,
    url: `/d/${UIDS.host}?\${datasource:queryparam}&\${job:queryparam}&var-instance=\${__data.fields.${field}}&\${__url_time_range}`,
  }];
}

/** Panels under a heading. */
export function row(title, ...panels) {
  return { title, panels: panels.flat() };
}

/** A whole dashboard; rows: of row(). */
export function dashboard({ uid, title, description, variables, rows, recorded = false, time = 'now-6h' }) {
  return {
    uid, title, description, tags: ['bhlat'],
    schemaVersion: SCHEMA_VERSION, version: 1, editable: false, graphTooltip: 1, fiscalYearStartMonth: 0,
    liveNow: false, preload: false, refresh: '1m', time: { from: time, to: 'now' }, timepicker: {}, timezone: 'browser', weekStart: '',
    annotations: annotations(recorded),
    links: links(uid),
    templating: { list: variables },
    panels: place(rows),
  };
}

/** Puts panels from left to right and from top to bottom, and numbers them. */
function place(rows) {
  const placed = [];
  let y = 0;
  const add = (panel, at) => placed.push({ id: placed.length + 1, ...panel, gridPos: at });
  for (const { title, panels } of rows) {
    add({ type: 'row', title, collapsed: false, panels: [] }, { x: 0, y, w: 24, h: 1 });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of panels) {
      const { w, h } = panel.gridPos;
      if (x + w > 24) {
        x = 0;
        y += height;
        height = 0;
      }
      add(panel, { x, y, w, h });
      x += panel.repeat ? 24 : w;
      height = Math.max(height, h);
    }
    y += height;
  }
  return placed;
}
