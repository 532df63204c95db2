// Curves and histograms by uPlot, each with a sentence and a table that say the same.
import uPlot from 'uplot';
import { colour, h, onTheme, table } from './dom';
import { digits } from './format';

export interface Line {
  label: string;
  values: (number | null)[];
  colour: string; // name of a variable of the style
  as?: 'line' | 'bars' | 'points' | 'steps';
  dash?: number[];
  hidden?: boolean; // an edge of a band
}

export interface Chart {
  title: string;
  alternative: string; // the chart in words
  x: { label: string; values: number[]; time?: boolean; range?: [number, number] };
  y: { label: string; range?: [number | null, number | null] };
  lines: Line[];
  band?: [number, number]; // indices of the lines that are its upper and lower edge
  height?: number;
  table?: { every?: number; head?: string[] } | false;
}

const charts: { plot: uPlot; place: HTMLElement; height: number }[] = [];
const PRINTED = 640;

function resize(width?: number): void {
  for (const { plot, place, height } of charts) {
    const wanted = width ?? place.clientWidth;
    if (wanted > 0 && wanted !== plot.width) plot.setSize({ width: wanted, height });
  }
}

/** Charts follow the theme, and the width of the paper. */
export function watchCharts(): void {
  onTheme(() => charts.forEach(({ plot }) => plot.redraw(false)));
  addEventListener('beforeprint', () => resize(PRINTED));
  addEventListener('afterprint', () => resize());
  new ResizeObserver(() => resize()).observe(document.body);
}

function seriesOf(line: Line): uPlot.Series {
  const stroke = (): string => (line.hidden ? 'transparent' : colour(line.colour));
  const base: uPlot.Series = { label: line.label, stroke, width: 2, points: { show: false }, value: (_, v) => digits(v) };
  if (line.dash) base.dash = line.dash;
  if (line.as === 'bars') Object.assign(base, { paths: uPlot.paths.bars!({ size: [1, Infinity], gap: 1 }), fill: stroke, width: 0 });
  if (line.as === 'steps') base.paths = uPlot.paths.stepped!({ align: 1 });
  if (line.as === 'points')
    Object.assign(base, { paths: () => null, points: { show: true, size: 5, stroke, fill: stroke, width: 0 } });
  return base;
}

function axes(chart: Chart): uPlot.Axis[] {
  const shared = { stroke: () => colour('ink'), grid: { stroke: () => colour('rule'), width: 1 }, ticks: { stroke: () => colour('rule'), width: 1 }, font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif', labelSize: 18 };
  const plain = (_: uPlot, values: number[]): string[] => values.map((value) => digits(value, 6));
  // Times have two lines.
  return [
    { ...shared, label: chart.x.label, size: chart.x.time ? 46 : 34, ...(chart.x.time ? {} : { values: plain }) },
    { ...shared, label: chart.y.label, size: 52, values: plain },
  ];
}

function tableOf(chart: Chart): HTMLElement | null {
  if (chart.table === false) return null;
  const lines = chart.lines;
  const every = chart.table?.every ?? Math.max(1, Math.ceil(chart.x.values.length / 25));
  const rows = chart.x.values
    .map((x, i) => [chart.x.time ? new Date(1000 * x).toISOString().slice(0, 16) : digits(x), ...lines.map((line) => digits(line.values[i] ?? null))])
    .filter((_, i) => i % every === 0);
  const made = h('details', { class: 'values' }, h('summary', {}, `${chart.title}: values`));
  made.addEventListener('toggle', () => made.childElementCount > 1 || made.append(table(chart.title, [chart.x.label, ...lines.map((line) => line.label)], rows)));
  return made;
}

/** The figure; it is drawn once it is in the page. */
export function chart(about: Chart): HTMLElement {
  const height = about.height ?? 280;
  const place = h('div', { class: 'plot', role: 'img', 'aria-label': `${about.title}. ${about.alternative}` });
  const legend = h('ul', { class: 'legend', 'aria-hidden': 'true' });
  for (const line of about.lines.filter((one) => !one.hidden))
    legend.append(h('li', {}, h('span', { class: `key key-${line.as ?? 'line'}${line.dash ? ' key-dash' : ''} c-${line.colour}` }), line.label));
  if (about.band) legend.append(h('li', {}, h('span', { class: 'key key-bars c-band' }), 'band'));
  const figure = h('figure', {}, h('figcaption', {}, about.title), place, legend, h('p', { class: 'said' }, about.alternative), tableOf(about));
  const options: uPlot.Options = {
    width: 300,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: about.x.time ?? false, ...(about.x.range ? { range: about.x.range } : {}) },
      y: about.y.range ? { range: (_, low, high) => [about.y.range![0] ?? low, about.y.range![1] ?? high] } : {},
    },
    series: [{ label: about.x.label }, ...about.lines.map(seriesOf)],
    axes: axes(about),
    ...(about.band ? { bands: [{ series: [about.band[0] + 1, about.band[1] + 1], fill: () => colour('band') as never } as uPlot.Band] } : {}),
  };
  const draw = (): void => {
    const plot = new uPlot({ ...options, width: place.clientWidth || 300 }, [about.x.values, ...about.lines.map((line) => line.values)] as uPlot.AlignedData, place);
    charts.push({ plot, place, height });
  };
  requestAnimationFrame(draw);
  return figure;
}
