// SPDX-License-Identifier: Apache-2.0
//
// Small things that all panels share.

import { formattedValueToString, getValueFormat } from '@grafana/data';

/** An element with a style and what is in it. */
export function element(name, style = {}, ...content) {
  const made = document.createElement(name);
  Object.assign(made.style, style);
  made.append(...content);
  return made;
}

/** A value as Grafana writes it. */
export function written(value, unit, decimals) {
  if (unit === 'x') {
    return `${value.toFixed(decimals ?? 2)} x`;
  }
  return formattedValueToString(getValueFormat(unit ?? 'none')(value, decimals));
}

export function noData(body, { theme }, text = 'No data') {
  body.append(element('div', { color: theme.colors.text.secondary, textAlign: 'center', paddingTop: '20px' }, text));
}

/** The name of a series by its legend. */
export function legend(metric, format) {
  if (!format || format === '__auto') {
    const { __name__: name = '', ...labels } = metric;
    return `${name}{${Object.entries(labels).map(([label, value]) => `${label}="${value}"`).join(', ')}}`;
  }
  return format.replace(/{{\s*(\w+)\s*}}/g, (_, label) => metric[label] ?? '').trim();
}

/** Number of a sample; null for NaN and the infinities, which no axis has. */
export const number = (text) => (Number.isFinite(Number(text)) ? Number(text) : null);

/** Series of all results as {name, refId, points: [[time, value]]}. */
export function named(results) {
  return results.flatMap(({ series, legendFormat, refId }) =>
    series.map(({ metric, values, value }) => ({
      name: legend(metric, legendFormat), refId, metric,
      points: (values ?? [value]).map(([time, text]) => [time, number(text)]),
    })));
}

/** Colour of a value by thresholds. */
export function thresholdColor(value, { steps }, theme) {
  const step = [...steps].reverse().find((one) => one.value === null || value >= one.value);
  return step.color === 'text' ? theme.colors.text.primary : theme.visualization.getColorByName(step.color);
}

/** Text of a value by mappings. */
export function mapped(value, mappings = []) {
  return mappings.map(({ options }) => options[String(value)]).find(Boolean);
}

export const last = (points) => points.findLast(([, value]) => value !== null)?.[1];
