// SPDX-License-Identifier: Apache-2.0

import { interpolateTurbo } from 'd3-scale-chromatic';
import { element, noData, written } from './dom.mjs';
import { drawMarks } from './lines.mjs';

const LEFT = 62;
const BOTTOM = 24;
const LEGEND = 90;

/** Cells [time, lower, upper, count] of native histograms along time. */
function cells({ series }) {
  return series.flatMap(({ histograms = [] }) =>
    histograms.flatMap(([time, { buckets = [] }]) => buckets.map(([, lower, upper, count]) => [time, Number(lower), Number(upper), Number(count)])));
}

/** Panel of type heatmap: buckets of a native histogram against time, on a logarithmic axis. */
export function drawHeatmap(body, panel, scene) {
  const { theme, width, height, from, to, annotations } = scene;
  const [result] = panel.results;
  const all = cells(result).filter(([, lower, upper, count]) => count > 0 && lower > 0 && Number.isFinite(upper));
  if (all.length === 0) {
    noData(body, scene);
    return;
  }
  const canvas = element('canvas', { width: `${width}px`, height: `${height}px` });
  const ratio = window.devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  body.append(canvas);
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);

  const { min, max } = panel.options.yAxis;
  const low = Math.log2(Number(min ?? Math.min(...all.map(([, lower]) => lower))));
  const high = Math.log2(Number(max ?? Math.max(...all.map(([, , upper]) => upper))));
  const plotHeight = height - BOTTOM;
  const x = (time) => LEFT + ((time - from) / (to - from)) * (width - LEFT - LEGEND);
  const y = (seconds) => plotHeight * (1 - (Math.log2(seconds) - low) / (high - low));
  const { exponent } = panel.options.color;
  const most = Math.max(...all.map(([, , , count]) => count));
  const cellWidth = x(from + result.step) - x(from);
  for (const [time, lower, upper, count] of all) {
    context.fillStyle = interpolateTurbo((count / most) ** exponent);
    context.fillRect(x(time) - cellWidth, y(upper), cellWidth + 0.5, y(lower) - y(upper) + 0.5);
  }
  drawAxes(context, { theme, low, high, y, x, width, height, plotHeight, from, to });
  drawScale(context, { theme, width, plotHeight, most, exponent, unit: panel.options.cellValues.unit });
  drawMarks(context, annotations, x, 0, plotHeight, theme);
}

function drawAxes(context, { theme, low, high, y, x, width, height, plotHeight, from, to }) {
  context.fillStyle = theme.colors.text.secondary;
  context.strokeStyle = theme.colors.border.weak;
  context.font = '11px sans-serif';
  context.textAlign = 'right';
  const every = Math.max(1, Math.ceil((high - low) / (plotHeight / 24)));
  for (let exponent = Math.ceil(low); exponent <= high; exponent += every) {
    const at = y(2 ** exponent);
    context.fillText(written(2 ** exponent, 's'), LEFT - 6, Math.min(Math.max(at + 4, 10), plotHeight));
    line(context, LEFT, at, width - LEGEND, at);
  }
  context.textAlign = 'center';
  const ticks = Math.max(2, Math.floor((width - LEFT - LEGEND) / 110));
  const minutes = [1, 2, 5, 10, 15, 30, 60, 120, 360].find((one) => (to - from) / 60 / one <= ticks) ?? 1440;
  for (let time = Math.ceil(from / 60 / minutes) * 60 * minutes; time < to; time += 60 * minutes) {
    context.fillText(new Date(time * 1000).toISOString().slice(11, 16), x(time), height - 6);
    line(context, x(time), 0, x(time), plotHeight);
  }
}

function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

function drawScale(context, { theme, width, plotHeight, most, exponent, unit }) {
  const left = width - LEGEND + 14;
  const top = 8;
  const tall = plotHeight - 16;
  for (let i = 0; i < tall; i++) {
    context.fillStyle = interpolateTurbo(1 - i / tall);
    context.fillRect(left, top + i, 10, 1.5);
  }
  context.fillStyle = theme.colors.text.secondary;
  context.textAlign = 'left';
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    context.fillText(written(most * share ** (1 / exponent), unit), left + 14, top + tall * (1 - share) + 4);
  }
}
