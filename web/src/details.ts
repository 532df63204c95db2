// One row in depth: its reasons as bars; its columns against what is usual and against its nearest normal rows.
import { type Finding, type ModelColumn, numberOf, textOf } from './data';
import { h, own, svg } from './dom';
import { digits, percent, plural } from './format';
import { answer, answers, report } from './state';

function bars(finding: Finding): HTMLElement {
  if (finding.reasons.length === 0)
    return h('p', {}, report.findings.indexOf(finding) < report.explained ? 'No single column stands out; the row is unusual as a whole.' : `Only the first ${plural(report.explained, 'row')} have reasons.`);
  const largest = Math.max(...finding.reasons.map((reason) => reason.contribution));
  return h(
    'ol',
    { class: 'bars' },
    ...finding.reasons.map((reason) => {
      const bar = h('span', { class: 'bar' });
      bar.style.width = `${Math.max(1, (100 * reason.contribution) / largest)}%`;
      return h('li', {}, own(`${reason.text}.`), h('span', { class: 'track' }, bar), h('span', { class: 'amount' }, `adds ${digits(reason.contribution)}`));
    }),
  );
}

/** The usual range as a strip, and where the cell lies. */
function strip(column: ModelColumn, value: number): Node {
  if (column.low === undefined || column.high === undefined || Number.isNaN(value)) return document.createTextNode('');
  const low = Math.min(column.low, value), high = Math.max(column.high, value), width = high - low || 1;
  const at = (x: number): number => 4 + (92 * (x - low)) / width;
  return svg(
    'svg',
    { class: 'strip', viewBox: '0 0 100 14', 'aria-hidden': 'true' },
    svg('rect', { class: 'usual', x: at(column.low), y: 4, width: Math.max(1, at(column.high) - at(column.low)), height: 6 }),
    svg('circle', { class: value < column.low || value > column.high ? 'odd' : 'even', cx: at(value), cy: 7, r: 4 }),
  );
}

function usual(column: ModelColumn | undefined, text: string): string {
  if (!column || column.features === 0) return column?.role === 'constant' ? 'always the same' : 'not used';
  if (column.low !== undefined) return `${digits(column.low)} to ${digits(column.high)}`;
  const level = column.levels?.find((one) => one.level === text);
  if (level?.train_share !== undefined) return `in ${percent(level.train_share)} of training rows`;
  return column.role === 'categorical' ? `one of ${plural(column.train_levels ?? 0, 'level')}` : 'time of day, weekday, day of the year';
}

function columnRow(finding: Finding, k: number): HTMLElement {
  const named = report.table_columns[k]!, cell = finding.cells[k]!, text = textOf(cell);
  const column = named.model_column === null ? undefined : report.columns[named.model_column];
  const blamed = finding.reasons.some((reason) => reason.column === column?.name);
  return h(
    'tr',
    blamed ? { class: 'blamed' } : {},
    h('th', { scope: 'row' }, own(named.name)),
    h('td', {}, cell === null ? h('em', {}, 'missing') : own(text)),
    h('td', {}, usual(column, text), column ? strip(column, numberOf(cell)) : ''),
    ...finding.near.map((near) => {
      const kept = named.model_column === null ? null : report.neighbours[near]![named.model_column] ?? null;
      return h('td', {}, kept === null ? '' : own(typeof kept === 'number' ? digits(kept, 6) : Array.isArray(kept) ? kept[0].replace('T', ' ').replace('Z', '') : kept));
    }),
  );
}

function questions(finding: Finding, redraw: () => void): HTMLElement {
  const given = answers.get(finding.row);
  const button = (value: 0 | 1, word: string): HTMLElement =>
    h('button', { type: 'button', 'aria-pressed': given === value ? 'true' : 'false', click: () => (answer(finding, given === value ? null : value), redraw()) }, word);
  return h('p', { class: 'questions', role: 'group', 'aria-label': `Your answer for row ${finding.row}` }, 'Is it an anomaly? ', button(1, 'Confirm'), ' ', button(0, 'Dismiss'));
}

export function details(finding: Finding): HTMLElement {
  const place = h('div', { class: 'details' });
  const near = finding.near.map((_, i) => h('th', { scope: 'col' }, `Normal row ${i + 1}`));
  const draw = (): void =>
    place.replaceChildren(
      questions(finding, draw),
      h('h3', {}, 'Why'),
      bars(finding),
      h('h3', {}, 'Its columns'),
      h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Columns of row ${finding.row}` },
        h(
          'table',
          { class: 'against' },
          h('caption', {}, near.length ? 'The row and its nearest training rows' : 'The row and the usual values'),
          h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Column'), h('th', { scope: 'col' }, `Row ${finding.row}`), h('th', { scope: 'col' }, 'Usual (5 to 95 %)'), ...near)),
          h('tbody', {}, ...report.table_columns.map((_, k) => columnRow(finding, k))),
        ),
      ),
    );
  draw();
  return place;
}
