// The first screen: the answer, what undermines it, the ten worst rows, a column over time, and how good the order is.
import { type Finding, textOf } from './data';
import { h, isDark, own, prose, setTheme } from './dom';
import { count, digits, percent, plural, sentence } from './format';
import { curve } from './order';
import { series } from './series';
import { choose, report } from './state';

const WORST = 10;
const HEIGHT = { series: 200, curve: 300, curveBelow: 190 };

function sureness(): string {
  const { flagged, rate, mass, evaluation } = report;
  const expected = Math.round(flagged * rate);
  const alarms = mass !== null ? `About ${count(Math.round(report.rows * (1 - mass)))} such rows are expected if all were normal.` : flagged === 0 ? 'The most abnormal rows are listed anyway.' : `On average at most ${percent(rate)} of such rows, here ${expected === 0 ? 'less than one' : `about ${count(expected)}`}, are false alarms.`;
  if (!evaluation || evaluation.blind) return alarms;
  const [low, high] = evaluation.area_interval;
  return `${alarms} A random row of this table ranks above a random contrast row ${percent(1 - evaluation.area)} of the time (${percent(evaluation.level)} interval ${percent(1 - high)} to ${percent(1 - low)}).`;
}

function open(place: number): void {
  choose(place);
  const row = document.querySelector<HTMLElement>(`#rows tr[data-place="${place}"]`);
  row?.scrollIntoView({ block: 'start' });
  row?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
}

/** Inside another page, which has no address on disk, a browser refuses to follow a link to a part of itself. */
function jump(event: Event, id: string): void {
  if (location.protocol !== 'blob:') return;
  event.preventDefault();
  document.getElementById(id)?.scrollIntoView();
}

function worst(finding: Finding, place: number): HTMLElement {
  const ids = report.table_columns.map((column, k) => (column.id ? textOf(finding.cells[k]!) : '')).filter(Boolean).join(', ');
  const why = finding.reasons.map((reason) => reason.text).join('; ');
  return h('li', { class: place < report.flagged ? 'flagged' : '' }, h('button', { type: 'button', class: 'link', click: () => open(place) }, `Row ${count(finding.row)}`), ids ? own(` ${ids.slice(0, 40)}`) : '', h('span', { class: 'q' }, ` q ${digits(finding.q_value, 2)}`), h('span', { class: 'why', title: why.slice(0, 400) }, own(why || 'unusual as a whole')));
}

function warnings(): HTMLElement | null {
  if (report.warnings.length === 0) return null;
  return h('div', { class: 'warnings', role: 'note', 'aria-label': 'What undermines this result' }, h('strong', {}, 'Before you rely on this'), h('ul', {}, ...report.warnings.map((warning) => h('li', {}, prose(sentence(warning.text))))));
}

function themeButton(): HTMLElement {
  const button = h('button', { type: 'button', id: 'theme', click: () => (setTheme(isDark() ? 'light' : 'dark'), name()) });
  const name = (): void => void (button.textContent = isDark() ? 'Light' : 'Dark');
  name();
  return button;
}

export function first(parts: [string, string][]): HTMLElement {
  const { evaluation, series: shown } = report;
  const judged = evaluation && !evaluation.blind ? evaluation : null;
  return h(
    'header',
    { id: 'first' },
    h('nav', { 'aria-label': 'Sections' }, h('span', { class: 'title' }, own(report.title)), ...parts.map(([id, title]) => h('a', { href: `#${id}`, click: (event: Event) => jump(event, id) }, title)), themeButton()),
    h('h1', {}, sentence(report.answer)),
    h('p', { class: 'sure' }, sureness()),
    warnings(),
    h(
      'div',
      { class: 'first' },
      h('div', {}, h('h2', {}, `The ${plural(Math.min(WORST, report.findings.length), 'most abnormal row')}`), h('ol', { class: 'worst' }, ...report.findings.slice(0, WORST).map(worst))),
      shown || judged ? h('div', {}, ...(shown ? [h('h2', {}, own(shown.column.slice(0, 60)), ' over time'), series(HEIGHT.series)] : []), ...(judged ? [h('h2', {}, 'How good is the order'), curve(judged, shown ? HEIGHT.curveBelow : HEIGHT.curve, false)] : [])) : null,
    ),
  );
}
