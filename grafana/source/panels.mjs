// SPDX-License-Identifier: Apache-2.0
//
// Panels as Grafana's JSON. A panel here is {title, description, width, height, ...}; its place on the
// page and its id are given by dashboard.mjs.

export const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** A range query; a name for its series as legend. */
export function query(expr, legendFormat = '__auto') {
  return { datasource: DATASOURCE, editorMode: 'code', expr, legendFormat, range: true, instant: false };
}

/** A query for the end of the time shown, as rows of a table with a column for each label. */
export function rows(expr) {
  return { datasource: DATASOURCE, editorMode: 'code', expr, format: 'table', range: false, instant: true };
}

/** A query for the end of the time shown, as one value for each series. */
export function now(expr, legendFormat = '__auto') {
  return { datasource: DATASOURCE, editorMode: 'code', expr, legendFormat, range: false, instant: true };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function panel(type, { title, description, width = 12, height = 8, queries, repeat, links, ...rest }) {
  return {
    type,
    title,
    description,
    datasource: DATASOURCE,
    gridPos: { w: width, h: height, x: 0, y: 0 },
    ...(repeat && { repeat, repeatDirection: 'h', maxPerRow: 24 / width }),
    ...(links && { links }),
    targets: [queries].flat().map((target, index) => ({ refId: letters[index], ...target })),
    ...rest,
  };
}

/** Thresholds as [[from, colour], ...], the first from null. */
export function thresholds(...steps) {
  return { mode: 'absolute', steps: steps.map(([value, color]) => ({ value, color })) };
}

export const GOOD_AT_ZERO = thresholds([null, 'green'], [1, 'red']);
const PLAIN = thresholds([null, 'text']);

/** Lines over time. options: unit, stack, log, min, max, overrides, legendCalcs. */
export function lines(options) {
  const { unit, stack = false, log = false, min, max, overrides = [], calcs = ['lastNotNull', 'max'], steps } = options;
  return panel('timeseries', {
    ...pick(options),
    fieldConfig: {
      defaults: {
        unit,
        ...(unit === 'percentunit' && { decimals: 2 }),
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        color: { mode: 'palette-classic' },
        thresholds: steps ?? PLAIN,
        custom: {
          drawStyle: 'line',
          lineInterpolation: 'linear',
          lineWidth: 1,
          fillOpacity: stack ? 40 : 4,
          showPoints: 'never',
          spanNulls: false,
          axisPlacement: 'auto',
          scaleDistribution: log ? { type: 'log', log: 10 } : { type: 'linear' },
          stacking: { mode: stack ? 'normal' : 'none', group: 'A' },
          thresholdsStyle: { mode: steps ? 'dashed' : 'off' },
        },
      },
      overrides,
    },
    options: {
      // A table beside the lines needs half of the page.
      legend: (options.width ?? 12) < 12
        ? { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] }
        : { displayMode: 'table', placement: 'right', showLegend: true, calcs, sortBy: 'Max', sortDesc: true },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  });
}

/** Counts of a native histogram over time; the query is a sum of rates. min, max: of the axis, in
 * seconds, for panels that are to be compared. */
export function heatmap(options) {
  return panel('heatmap', {
    ...pick(options),
    queries: { ...query(options.expr), format: 'heatmap' },
    fieldConfig: { defaults: { custom: { scaleDistribution: { type: 'linear' } } }, overrides: [] },
    options: {
      calculate: false,
      cellGap: 0,
      cellValues: { unit: options.cellUnit ?? 'cps' },
      color: { mode: 'scheme', scheme: options.scheme ?? 'Turbo', scale: 'exponential', exponent: 0.4, steps: 64, reverse: false, fill: 'dark-orange' },
      exemplars: { color: 'rgba(255,0,255,0.7)' },
      filterValues: { le: 1e-9 },
      legend: { show: true },
      rowsFrame: { layout: 'auto' },
      showValue: 'never',
      tooltip: { mode: 'single', yHistogram: true, showColorScale: true },
      yAxis: {
        axisPlacement: 'left', unit: 's', reverse: false,
        ...(options.min !== undefined && { min: options.min }), ...(options.max !== undefined && { max: options.max }),
      },
    },
  });
}

/** One number, or one for each series. options: unit, steps, mappings, graph, text ('value' or 'value_and_name'). */
export function stat(options) {
  const { unit, steps = PLAIN, mappings = [], graph = false, text = 'auto', decimals, color = 'value', noValue } = options;
  return panel('stat', {
    width: 4,
    height: 4,
    ...pick(options),
    fieldConfig: {
      defaults: { unit, ...(decimals !== undefined && { decimals }), ...(noValue && { noValue }), color: { mode: 'thresholds' }, thresholds: steps, mappings },
      overrides: [],
    },
    options: {
      colorMode: color,
      graphMode: graph ? 'area' : 'none',
      justifyMode: 'auto',
      orientation: 'auto',
      percentChangeColorMode: 'standard',
      reduceOptions: { calcs: ['lastNotNull'], fields: options.fields ?? '', values: false },
      showPercentChange: false,
      textMode: text,
      wideLayout: true,
    },
  });
}

/** Horizontal bars, one for each series. */
export function bars(options) {
  return panel('bargauge', {
    ...pick(options),
    fieldConfig: {
      defaults: { unit: options.unit, min: 0, color: { mode: options.steps ? 'thresholds' : 'palette-classic' }, thresholds: options.steps ?? PLAIN, mappings: [] },
      overrides: [],
    },
    options: {
      displayMode: 'basic',
      legend: { calcs: [], displayMode: 'list', placement: 'bottom', showLegend: false },
      maxVizHeight: 40,
      minVizHeight: 16,
      minVizWidth: 8,
      namePlacement: 'left',
      orientation: 'horizontal',
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      showUnfilled: true,
      sizing: 'manual',
      valueMode: 'color',
    },
  });
}

/** One row a series, coloured by its value along time. */
export function timeline(options) {
  return panel('state-timeline', {
    ...pick(options),
    fieldConfig: {
      defaults: {
        unit: options.unit,
        color: { mode: 'thresholds' },
        thresholds: options.steps,
        mappings: options.mappings ?? [],
        custom: { fillOpacity: 85, lineWidth: 0 },
      },
      overrides: [],
    },
    options: {
      alignValue: 'left',
      legend: { calcs: [], displayMode: 'list', placement: 'bottom', showLegend: true },
      mergeValues: true,
      rowHeight: 0.85,
      showValue: options.showValue ?? 'never',
      tooltip: { mode: 'single', sort: 'none' },
    },
  });
}

/**
 * A table of instant queries, merged by their labels. columns: [field, heading, settings] in order,
 * where field is a label or "Value #A" (just "Value" with one query), and settings may have unit, steps
 * (colours the cell), gauge (a bar in the cell), max, links, width, decimals, mappings. What is not named
 * is hidden. Or hidden: the only fields that are, where the labels are the operator's own.
 */
export function table(options) {
  const { columns = [], hidden = [], sort } = options;
  const indexByName = Object.fromEntries(columns.map(([field], index) => [field, index]));
  return panel('table', {
    ...pick(options),
    transformations: [
      ...([options.queries].flat().length > 1 ? [{ id: 'merge', options: {} }] : []),
      ...(hidden.length ? [] : [{ id: 'filterFieldsByName', options: { include: { names: columns.map(([field]) => field) } } }]),
      { id: 'organize', options: { excludeByName: Object.fromEntries(hidden.map((field) => [field, true])), includeByName: {}, indexByName, renameByName: Object.fromEntries(columns.map(([field, heading]) => [field, heading])) } },
    ],
    fieldConfig: {
      defaults: { custom: { align: 'auto', cellOptions: { type: 'auto' }, filterable: true, inspect: false }, thresholds: PLAIN, mappings: [], ...(options.noValue && { noValue: options.noValue }) },
      overrides: columns
        .filter(([, , settings]) => settings)
        .map(([, heading, settings]) => ({ matcher: { id: 'byName', options: heading }, properties: properties(settings) })),
    },
    options: {
      cellHeight: 'sm',
      frameIndex: 0,
      showTypeIcons: false,
      showHeader: true,
      sortBy: sort ? [{ displayName: sort, desc: true }] : [],
    },
  });
}

function properties({ unit, decimals, steps, gauge, max, links, width, mappings }) {
  return [
    unit && { id: 'unit', value: unit },
    decimals !== undefined && { id: 'decimals', value: decimals },
    steps && { id: 'thresholds', value: steps },
    steps && !gauge && { id: 'custom.cellOptions', value: { type: 'color-background', mode: 'basic' } },
    gauge && { id: 'custom.cellOptions', value: { type: 'gauge', mode: 'basic', valueDisplayMode: 'text' } },
    gauge && { id: 'color', value: { mode: 'thresholds' } },
    gauge && { id: 'min', value: 0 },
    max !== undefined && { id: 'max', value: max },
    links && { id: 'links', value: links },
    width && { id: 'custom.width', value: width },
    mappings && { id: 'mappings', value: mappings },
  ].filter(Boolean);
}

/** The part of a panel's options that all types share. */
function pick({ title, description, width, height, queries, repeat, links, maxDataPoints }) {
  const shared = { title, description, width, height, queries, repeat, links, maxDataPoints };
  return Object.fromEntries(Object.entries(shared).filter(([, value]) => value !== undefined));
}
