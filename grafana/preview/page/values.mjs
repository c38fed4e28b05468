// SPDX-License-Identifier: Apache-2.0

import { FieldType, standardTransformersRegistry, standardTransformers, toDataFrame, transformDataFrame } from '@grafana/data';
import { lastValueFrom } from 'rxjs';
import { element, last, mapped, named, noData, number, thresholdColor, written } from './dom.mjs';

standardTransformersRegistry.setInit(() => [standardTransformers.mergeTransformer, standardTransformers.filterFieldsByNameTransformer, standardTransformers.filterFieldsTransformer, standardTransformers.organizeFieldsTransformer, standardTransformers.orderFieldsTransformer, standardTransformers.renameFieldsTransformer]
  .map((transformation) => ({ id: transformation.id, name: transformation.name, transformation: async () => transformation, editor: () => null })));

/** Panel of type stat: the last value, large. */
export function drawStat(body, panel, scene) {
  const { theme, height } = scene;
  const { defaults } = panel.fieldConfig;
  const series = named(panel.results);
  if (series.length === 0) {
    noData(body, scene);
    return;
  }
  const value = last(series[0].points) ?? 0;
  const color = thresholdColor(value, defaults.thresholds, theme);
  const background = panel.options.colorMode === 'background';
  const text = mapped(value, defaults.mappings)?.text ?? written(value, defaults.unit, defaults.decimals);
  Object.assign(body.style, { display: 'flex', alignItems: 'center', justifyContent: 'center', fontSize: `${Math.min(height * 0.55, 46, (scene.width * 1.6) / text.length)}px`, fontWeight: '500', ...(background ? { background: color, color: theme.colors.getContrastText(color), borderRadius: '2px' } : { color }) });
  body.append(text);
}

/** Panel of type bargauge: a bar for each series. */
export function drawBars(body, panel, scene) {
  const { theme, width } = scene;
  const { unit, color: { mode }, thresholds } = panel.fieldConfig.defaults;
  const series = named(panel.results);
  if (series.length === 0) {
    noData(body, scene);
    return;
  }
  const most = Math.max(...series.map(({ points }) => last(points) ?? 0));
  series.forEach(({ name, points }, index) => {
    const value = last(points) ?? 0;
    const color = mode === 'thresholds' ? thresholdColor(value, thresholds, theme) : theme.visualization.getColorByName(theme.visualization.palette[index]);
    body.append(element('div', { display: 'flex', alignItems: 'center', height: '32px' },
      element('div', { width: `${width * 0.3}px`, overflow: 'hidden', textOverflow: 'ellipsis' }, name),
      element('div', { width: `${width * 0.5 * (value / most)}px`, height: '22px', background: color }),
      element('div', { color, paddingLeft: '8px' }, written(value, unit))));
  });
}

/** Panel of type state-timeline: a row for each series, coloured by its thresholds. */
export function drawTimeline(body, panel, scene) {
  const { theme, width, height, from, to } = scene;
  const { thresholds, mappings, unit } = panel.fieldConfig.defaults;
  const series = named(panel.results);
  if (series.length === 0) {
    noData(body, scene);
    return;
  }
  const left = Math.min(300, 12 + 7 * Math.max(...series.map(({ name }) => name.length)));
  const step = panel.results[0].step;
  const x = (time) => left + ((time - from) / (to - from)) * (width - left);
  const rowHeight = Math.min((height - 44) / series.length, 28);
  series.forEach(({ name, points }, row) => {
    body.append(element('div', { position: 'absolute', top: `${row * rowHeight}px`, width: `${left - 6}px`, textAlign: 'right', whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis', fontSize: '11px', lineHeight: `${rowHeight}px` }, name));
    for (const [time, value] of points.filter((point) => point[1] !== null)) {
      body.append(element('div', { position: 'absolute', left: `${x(Math.max(time - step, from))}px`, width: `${x(time) - x(Math.max(time - step, from)) + 0.6}px`, top: `${(row + 0.075) * rowHeight}px`, height: `${rowHeight * 0.85}px`, background: mapped(value, mappings)?.color ?? thresholdColor(value, thresholds, theme) }));
    }
  });
  const bottom = series.length * rowHeight + 4;
  for (let i = 1; i < 8; i++) {
    const time = from + ((to - from) * i) / 8;
    body.append(element('div', { position: 'absolute', top: `${bottom}px`, left: `${x(time) - 16}px`, fontSize: '11px', color: theme.colors.text.secondary }, new Date(time * 1000).toISOString().slice(11, 16)));
  }
  const key = element('div', { position: 'absolute', top: `${bottom + 18}px`, left: `${left}px`, fontSize: '11px' });
  const steps = mappings.length ? Object.values(mappings[0].options).map(({ text, color }) => [color, text]) : thresholds.steps.map(({ value, color }) => [color, value === null ? 'below' : `${written(value, unit)}+`]);
  steps.forEach(([color, text]) => key.append(element('span', { color: theme.visualization.getColorByName(color) }, '■ '), `${text}   `));
  body.append(key);
}

/** Results in format table as Grafana's data source gives them: a column for each label. */
function frames(results) {
  return results.map(({ refId, series }) => {
    const labels = [...new Set(series.flatMap(({ metric }) => Object.keys(metric)))].sort();
    return toDataFrame({
      refId,
      fields: [
        { name: 'Time', type: FieldType.time, values: series.map(({ value }) => value[0] * 1000) },
        ...labels.map((label) => ({ name: label, type: FieldType.string, values: series.map(({ metric }) => metric[label] ?? '') })),
        { name: results.length > 1 ? `Value #${refId}` : 'Value', type: FieldType.number, values: series.map(({ value }) => number(value[1])) },
      ],
    });
  });
}

/** Panel of type table, with its transformations run by Grafana's own code. */
export async function drawTable(body, panel, scene) {
  const { theme, height } = scene;
  const inputs = frames(panel.results).filter((frame) => frame.length > 0);
  const [frame] = inputs.length ? await lastValueFrom(transformDataFrame(panel.transformations, inputs)) : [];
  if (!frame || frame.length === 0) {
    noData(body, scene, panel.fieldConfig.defaults.noValue ?? 'No data');
    return;
  }
  const fields = frame.fields.map((field) => ({ field, heading: field.config.displayName ?? field.name, own: Object.fromEntries((panel.fieldConfig.overrides.find(({ matcher }) => matcher.options === (field.config.displayName ?? field.name))?.properties ?? []).map(({ id, value }) => [id, value])) }));
  const table = element('table', { fontSize: '12px' });
  table.append(element('tr', {}, ...fields.map(({ heading, field }) => cell('th', heading, field.type === 'number'))));
  for (const row of sorted(frame, fields, panel.options.sortBy[0]).slice(0, Math.floor(height / 25) - 1)) {
    table.append(element('tr', {}, ...fields.map(({ field, own }) => valueCell(field, own, row, theme))));
  }
  body.append(table);
}

function sorted(frame, fields, by) {
  const order = Array.from({ length: frame.length }, (_, index) => index);
  const field = fields.find(({ heading }) => heading === by?.displayName)?.field;
  return field ? order.sort((a, b) => (field.values[b] ?? -Infinity) - (field.values[a] ?? -Infinity)) : order;
}

function valueCell(field, own, row, theme) {
  const value = field.values[row];
  if (value === null || value === undefined) {
    return cell('td', '', false);
  }
  if (field.type !== 'number') {
    const td = cell('td', value, false);
    td.style.color = own.links ? theme.colors.text.link : '';
    return td;
  }
  const text = mapped(value, own.mappings)?.text ?? written(value, own.unit, own.decimals);
  const td = cell('td', text, true);
  const color = own.thresholds && thresholdColor(value, own.thresholds, theme);
  if (own['custom.cellOptions']?.type === 'gauge') {
    const share = Math.min(1, value / (own.max ?? Math.max(...field.values)));
    td.style.background = `linear-gradient(90deg, ${color} ${share * 70}%, transparent ${share * 70}%)`;
  } else if (color) {
    Object.assign(td.style, { background: color, color: theme.colors.getContrastText(color) });
  }
  return td;
}

function cell(name, text, isNumber) {
  const made = element(name, {}, String(text));
  made.className = isNumber ? 'number' : '';
  return made;
}
