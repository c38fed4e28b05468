// SPDX-License-Identifier: Apache-2.0
//
// Lays out the panels of a dashboard as Grafana does: 24 columns, cells of 30 pixels with gaps of 8.

import { createTheme } from '@grafana/data';
import uplotStyle from 'uplot/dist/uPlot.min.css';
import { element } from './dom.mjs';
import { drawBars, drawStat, drawTable, drawTimeline } from './values.mjs';
import { drawHeatmap } from './heatmap.mjs';
import { drawLines } from './lines.mjs';

const DRAW = { timeseries: drawLines, heatmap: drawHeatmap, stat: drawStat, bargauge: drawBars, table: drawTable, 'state-timeline': drawTimeline };
const GAP = 8;
const CELL = 30;

window.draw = async ({ title, variables, from, to, dark, annotations, panels }) => {
  const theme = createTheme({ colors: { mode: dark ? 'dark' : 'light' } });
  const { colors } = theme;
  document.head.append(element('style', {}, `${uplotStyle}
    body { margin: 0; padding: 12px; background: ${colors.background.canvas}; color: ${colors.text.primary}; font: 13px Inter, Roboto, 'DejaVu Sans', sans-serif; }
    table { border-collapse: collapse; width: 100%; } td, th { padding: 3px 8px; text-align: left; white-space: nowrap; border-bottom: 1px solid ${colors.border.weak}; }
    th { color: ${colors.primary.text}; font-weight: 500; } .number { text-align: right; font-variant-numeric: tabular-nums; }`));
  document.body.append(element('div', { fontSize: '20px', marginBottom: '4px' }, title));
  document.body.append(element('div', { color: colors.text.secondary, marginBottom: '10px' },
    `${variables.map(([label, value]) => `${label}: ${value}`).join('   ')}   ${new Date(from * 1000).toISOString().slice(0, 16)} to ${new Date(to * 1000).toISOString().slice(11, 16)} UTC`));
  const width = document.body.clientWidth - 24;
  const column = (width + GAP) / 24;
  const page = element('div', { position: 'relative', height: `${Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h)) * (CELL + GAP)}px` });
  document.body.append(page);
  for (const panel of panels) {
    const { x, y, w, h } = panel.gridPos;
    const size = { width: Math.floor(w * column - GAP), height: h * (CELL + GAP) - GAP };
    const box = element('div', { position: 'absolute', left: `${x * column}px`, top: `${y * (CELL + GAP)}px`, width: `${size.width}px`, height: `${size.height}px`, overflow: 'hidden', boxSizing: 'border-box' });
    page.append(box);
    if (panel.type === 'row') {
      Object.assign(box.style, { fontSize: '15px', fontWeight: '500', paddingTop: '6px' });
      box.append(panel.title);
      continue;
    }
    Object.assign(box.style, { background: colors.background.primary, border: `1px solid ${colors.border.weak}`, borderRadius: '2px' });
    box.append(element('div', { padding: '6px 8px', fontWeight: '500', height: '16px', whiteSpace: 'nowrap' }, panel.title));
    const body = element('div', { position: 'absolute', left: '8px', top: '30px', width: `${size.width - 18}px`, height: `${size.height - 38}px`, overflow: 'hidden' });
    box.append(body);
    await DRAW[panel.type](body, panel, { theme, from, to, annotations, width: size.width - 18, height: size.height - 38 });
  }
};
