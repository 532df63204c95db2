// What each column holds: of all rows, and of those that stand out; and how often it is a reason.
import type { ModelColumn } from './data';
import { h, own, section, svg, table } from './dom';
import { count, digits, percent, plural } from './format';
import { report } from './state';

const FIRST = 40;

/** Two histograms over each other, by share: all rows filled, those that stand out as a line. */
function histogram(column: ModelColumn): HTMLElement {
  const { from, to, all, flagged } = column.bins!, n = all.length;
  const total = all.reduce((a, b) => a + b, 0) || 1, some = flagged.reduce((a, b) => a + b, 0) || 1;
  const tall = Math.max(...all.map((x) => x / total), ...flagged.map((x) => x / some)) || 1;
  const bars = all.map((x, i) => svg('rect', { class: 'all', x: (i * 300) / n, width: 300 / n - 0.6, y: 70 - (66 * x) / total / tall, height: (66 * x) / total / tall }));
  const steps = flagged.map((x, i) => `${i === 0 ? 'M' : 'L'}${(i * 300) / n} ${70 - (66 * x) / some / tall} H${((i + 1) * 300) / n}`).join(' ');
  const show = column.role === 'time' ? (value: number) => new Date(1000 * value).toISOString().slice(0, 10) : (value: number) => digits(value);
  const peak = all.indexOf(Math.max(...all)), middle = from + ((peak + 0.5) * (to - from)) / n;
  const said = `Distribution of ${column.name} from ${show(from)} to ${show(to)}: most rows near ${show(middle)}.`;
  return h('div', {}, svg('svg', { class: 'histogram', viewBox: '0 0 300 72', preserveAspectRatio: 'none', role: 'img', 'aria-label': said }, ...bars, report.flagged > 0 && svg('path', { class: 'flagged', d: steps })), h('p', { class: 'ends' }, h('span', {}, show(from)), h('span', {}, show(to))));
}

function levels(column: ModelColumn): HTMLElement {
  const rows = column.levels!.map((one) => [own(one.level), percent(one.all / report.rows), report.flagged ? percent(one.flagged / report.flagged) : '–', one.train_share === undefined ? '–' : percent(one.train_share)]);
  const more = (column.levels_here ?? 0) - rows.length;
  return h('div', {}, table(`Levels of ${column.name}`, ['Level', 'All', 'Stand out', 'Training'], rows), more > 0 ? h('p', {}, `and ${plural(more, 'other level')}`) : null);
}

function facts(column: ModelColumn): string {
  const said = [column.role];
  if (column.low !== undefined) said.push(`usually ${digits(column.low)} to ${digits(column.high)}, median ${digits(column.median)}`);
  if (column.missing) said.push(`${percent(column.missing / report.rows)} missing${report.flagged ? ` (${percent((column.missing_flagged ?? 0) / report.flagged)} of those that stand out)` : ''}`);
  else if (column.missing_share > 0) said.push(`${percent(column.missing_share)} missing in training`);
  if (report.flagged_with_reasons > 0 && column.features > 0) said.push(`a reason for ${count(column.any_reason)} of ${plural(report.flagged_with_reasons, 'row')} that stand out, the first for ${count(column.first_reason)}`);
  return `${said.join('; ')}.`;
}

const card = (column: ModelColumn): HTMLElement =>
  h('article', { class: 'card' }, h('h3', {}, own(column.name)), column.bins ? histogram(column) : null, column.levels ? levels(column) : null, h('p', {}, facts(column)));

export function columns(): HTMLElement {
  const shown = report.columns.filter((column) => column.bins || column.levels).sort((a, b) => b.any_reason - a.any_reason);
  const others = report.columns.filter((column) => !column.bins && !column.levels);
  const place = h('div', { class: 'cards' }, ...shown.slice(0, FIRST).map(card));
  const more = shown.length > FIRST ? h('button', { type: 'button', click: () => (place.append(...shown.slice(FIRST).map(card)), more!.remove()) }, `Show ${plural(shown.length - FIRST, 'other column')}`) : null;
  return section(
    'columns',
    'Columns',
    h('p', {}, 'Filled: all rows. Line: rows that stand out. The outermost bars include values beyond them. Columns are sorted by how often they are a reason.'),
    place,
    more,
    others.length ? h('p', {}, 'Without a distribution: ', ...others.flatMap((column, i) => [i ? ', ' : '', own(column.name), ` (${column.role})`]), '.') : null,
  );
}
