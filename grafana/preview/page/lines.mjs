// SPDX-License-Identifier: Apache-2.0

import uPlot from 'uplot';
import { element, last, named, noData, written } from './dom.mjs';

/** Settings of a series after overrides by query. */
function settings(panel, refId) {
  const { defaults, overrides } = panel.fieldConfig;
  const own = { unit: defaults.unit, ...defaults.custom };
  overrides.filter(({ matcher }) => matcher.options === refId).flatMap(({ properties }) => properties)
    .forEach(({ id, value }) => (own[id.replace('custom.', '')] = value));
  return own;
}

/** Vertical lines where something happened; for uPlot and for our own canvas. */
export function drawMarks(context, annotations, x, top, height, theme) {
  for (const { time, color } of annotations) {
    context.strokeStyle = theme.visualization.getColorByName(color);
    context.setLineDash([4, 4]);
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x(time), top);
    context.lineTo(x(time), top + height);
    context.stroke();
    context.setLineDash([]);
  }
}

/** Panel of type timeseries, with the legend as a table beside it. */
export function drawLines(body, panel, scene) {
  const { theme, width, height, from, to } = scene;
  const series = named(panel.results).filter(({ points }) => points.some(([, value]) => value !== null));
  if (series.length === 0) {
    noData(body, scene);
    return;
  }
  const { defaults } = panel.fieldConfig;
  const stacked = defaults.custom.stacking.mode === 'normal';
  const log = defaults.custom.scaleDistribution.type === 'log';
  const beside = panel.options.legend.placement === 'right';
  const legendWidth = beside ? Math.min(width * 0.4, 380) : 0;
  const below = beside ? 0 : 34;
  const plot = element('div', { position: 'absolute', left: 0, top: 0 });
  body.append(plot);
  const palette = theme.visualization.palette;
  series.forEach((one, index) => Object.assign(one, {
    color: theme.visualization.getColorByName(palette[index % palette.length]), ...settings(panel, one.refId) }));

  const times = [...new Set(series.flatMap(({ points }) => points.map(([time]) => time)))].sort((a, b) => a - b);
  const step = Math.max(...panel.results.map((result) => result.step));
  for (let i = times.length - 1; i > 0; i--) {
    if (times[i] - times[i - 1] > step * 1.5) {
      times.splice(i, 0, times[i - 1] + step); // a gap stays one
    }
  }
  const columns = series.map(({ points }) => {
    const at = new Map(points);
    return times.map((time) => { const value = at.get(time) ?? null; return log && value !== null && value <= 0 ? null : value; });
  });
  const drawn = stacked ? pileUp(columns) : columns;
  const right = series.some(({ axisPlacement }) => axisPlacement === 'right');
  const axis = (scale, unit, side) => ({
    scale, side, stroke: theme.colors.text.secondary, grid: { stroke: theme.colors.border.weak, width: 1, show: side === 3 }, ticks: { show: false }, size: 62, font: '11px sans-serif',
    filter: (_, splits) => splits.map((value) => (log && Math.abs(Math.log10(value) - Math.round(Math.log10(value))) > 1e-9 ? null : value)),
    values: (_, splits) => splits.map((value) => (value === null ? '' : written(value, unit, defaults.decimals))),
  });
  const scale = { distr: log ? 3 : 1, range: log ? undefined : (_, low, high) => [defaults.min ?? Math.min(low, 0), defaults.max ?? (high > 0 ? high * 1.05 : 1)] };
  new uPlot({
    width: width - legendWidth - 8, height: height - below, legend: { show: false }, cursor: { show: false },
    scales: { x: { time: true, range: [from, to] }, y: scale, right: { range: (_, low, high) => [0, high * 1.05 || 1] } },
    axes: [
      { stroke: theme.colors.text.secondary, grid: { stroke: theme.colors.border.weak, width: 1 }, ticks: { show: false }, size: 26, font: '11px sans-serif', values: (_, splits) => splits.map((time) => new Date(time * 1000).toISOString().slice(11, 16)) },
      axis('y', defaults.unit, 3),
      ...(right ? [axis('right', series.find(({ axisPlacement }) => axisPlacement === 'right').unit, 1)] : []),
    ],
    series: [{}, ...series.map(({ color, lineStyle, lineWidth, axisPlacement }) => ({
      scale: axisPlacement === 'right' ? 'right' : 'y', stroke: color, width: lineWidth ?? 1, dash: lineStyle?.dash, points: { show: false },
      fill: stacked ? `${theme.visualization.getColorByName(color)}66` : undefined,
    }))],
    ...(stacked && { bands: drawn.slice(1).map((_, index) => ({ series: [index + 2, index + 1] })) }),
    hooks: { draw: [(u) => drawMarks(u.ctx, scene.annotations, (time) => u.valToPos(time, 'x', true), u.bbox.top, u.bbox.height, theme)] },
  }, [times, ...drawn], plot);
  body.append(beside ? legendTable(series, panel, width, legendWidth, height, theme) : legendList(series, height, below));
}

/** Sums from the first series on, so that each is drawn on top of the one before. */
function pileUp(columns) {
  const sums = [];
  columns.forEach((column, index) => sums.push(column.map((value, i) => (value ?? 0) + (index ? sums[index - 1][i] : 0))));
  return sums;
}

function legendList(series, height, below) {
  return element('div', { position: 'absolute', top: `${height - below}px`, height: `${below}px`, overflow: 'hidden', fontSize: '11px' },
    ...series.flatMap(({ name, color }) => [element('span', { color }, '━ '), `${name}   `]));
}

function legendTable(series, panel, width, legendWidth, height, theme) {
  const table = element('table', { fontSize: '11px' });
  table.append(element('tr', {}, element('th', {}, 'Name'), numeric('th', 'Last'), numeric('th', 'Max')));
  const rows = series.map((one) => ({ ...one, max: Math.max(...one.points.map(([, value]) => value ?? -Infinity)) })).sort((a, b) => b.max - a.max);
  for (const { name, color, points, max, unit } of rows) {
    const label = element('td', { maxWidth: `${legendWidth - 130}px`, overflow: 'hidden', textOverflow: 'ellipsis' }, element('span', { color }, '━ '), name || panel.title);
    table.append(element('tr', {}, label, numeric('td', written(last(points) ?? 0, unit, panel.fieldConfig.defaults.decimals)), numeric('td', written(max, unit, panel.fieldConfig.defaults.decimals))));
  }
  return element('div', { position: 'absolute', left: `${width - legendWidth}px`, width: `${legendWidth}px`, top: 0, height: `${height}px`, overflow: 'hidden', color: theme.colors.text.primary }, table);
}

function numeric(name, text) {
  const cell = element(name, {}, text);
  cell.className = 'number';
  return cell;
}
