// What the scores and p-values look like, and what a threshold would select.
import { chart } from './charts';
import { h, section } from './dom';
import { count, digits, percent, plural } from './format';
import { report } from './state';

function distribution(): HTMLElement {
  const { scores } = report, bins = scores.rows.length, width = (scores.to - scores.from) / bins;
  const below = scores.lowest !== null && scores.lowest < scores.from ? ` The leftmost step holds all rows down to ${digits(scores.lowest)}.` : '';
  return chart({
    title: 'Scores',
    alternative: `Share of the rows by score, of these rows, of the calibration rows${scores.contrast ? ' and of contrast rows, which fill the space around the data' : ''}. Lower is more abnormal.${below}`,
    x: { label: 'score', values: scores.rows.map((_, i) => scores.from + i * width) },
    y: { label: 'share of rows', range: [0, null] },
    lines: [
      { label: 'these rows', values: scores.rows, colour: 'line', as: 'steps' },
      { label: 'calibration rows', values: scores.calibration, colour: 'second', as: 'steps', dash: [6, 3] },
      ...(scores.contrast ? [{ label: 'contrast rows', values: scores.contrast, colour: 'muted', as: 'steps' as const, dash: [2, 3] }] : []),
    ],
  });
}

function pValues(): HTMLElement {
  const counts = report.p_values, even = report.rows / counts.length;
  return chart({
    title: 'p-values',
    alternative: `${plural(counts[0]!, 'row')} of ${count(report.rows)} have a p-value below ${digits(1 / counts.length)}, where ${count(Math.round(even))} are expected if all rows are normal.`,
    x: { label: 'p-value', values: counts.map((_, i) => (i + 0.5) / counts.length), range: [0, 1] },
    y: { label: 'rows', range: [0, null] },
    lines: [
      { label: 'these rows', values: counts, colour: 'fill', as: 'bars' },
      { label: 'if all rows were normal', values: counts.map(() => even), colour: 'alert', dash: [6, 3] },
    ],
    table: { every: 1 },
  });
}

function threshold(): HTMLElement {
  const steps = report.thresholds;
  const start = Math.max(0, steps.findLastIndex((step) => step[0] <= Math.max(report.flagged, 1)));
  const said = h('output', { for: 'threshold', id: 'threshold-said' });
  const slider = h('input', { type: 'range', id: 'threshold', min: 0, max: steps.length - 1, step: 1, value: start, 'aria-describedby': 'threshold-said', input: () => tell() });
  function tell(): void {
    const [rows, score, p, q] = steps[Number(slider.value)]!;
    said.textContent = `${plural(rows, 'row')} (${percent(rows / report.rows)}) with a score of ${digits(score)} or lower, p-value up to ${digits(p)}. Expected share of false alarms among them: ${percent(Math.min(1, q))}, about ${count(Math.round(Math.min(1, q) * rows))}.`;
    slider.setAttribute('aria-valuetext', said.textContent);
  }
  tell();
  return h('div', { class: 'threshold' }, h('h3', {}, 'Where to draw the line'), h('label', { for: 'threshold' }, 'Report the most abnormal rows up to here '), slider, said);
}

export const scores = (): HTMLElement => section('scores', 'Scores', threshold(), h('div', { class: 'two' }, distribution(), pValues()));
