// The table of all rows that are listed: sort, search, filter, open one, answer, save the answers.
import { type Finding, numberOf, textOf } from './data';
import { details } from './details';
import { h, own, section } from './dom';
import { count, digits, plural, sentence } from './format';
import { answers, choose, chosen, hover, hovered, isFlagged, on, recall, report } from './state';

interface Column {
  name: string;
  key: string;
  numeric: boolean;
  value: (finding: Finding) => number | string | null;
  show: (finding: Finding) => Node | string;
}

const PAGE = 25;
const LONG = 120;

const cut = (text: string): HTMLElement => {
  const made = own(text.length > LONG ? `${text.slice(0, LONG)}…` : text);
  if (text.length > LONG) made.title = text.slice(0, 1000);
  return made;
};

function columns(): Column[] {
  const number = (name: string, key: 'rank' | 'row' | 'score' | 'p_value' | 'q_value'): Column => ({
    name,
    key,
    numeric: true,
    value: (finding) => finding[key],
    show: (finding) => (key === 'rank' || key === 'row' ? count(finding[key]) : digits(finding[key], key === 'score' ? 4 : 3)),
  });
  const cells = report.table_columns.map((column, k): Column => ({
    name: column.name,
    key: `cell ${k}`,
    numeric: column.kind !== 'categorical',
    value: (finding) => (column.kind === 'categorical' ? textOf(finding.cells[k]!) : numberOf(finding.cells[k]!)),
    show: (finding) => cut(textOf(finding.cells[k]!)),
  }));
  const reasons: Column = {
    name: 'Reasons',
    key: 'reasons',
    numeric: false,
    value: (finding) => finding.reasons[0]?.text ?? '',
    show: (finding) => own(finding.reasons.map((reason) => reason.text).join('; ')),
  };
  const ids = cells.filter((_, k) => report.table_columns[k]!.id), others = cells.filter((_, k) => !report.table_columns[k]!.id);
  return [number('Rank', 'rank'), number('Row', 'row'), ...ids, number('Score', 'score'), number('p-value', 'p_value'), number('q-value', 'q_value'), reasons, ...others];
}

/** Numbers by size, texts by letter, what is missing last. */
function compare(a: number | string | null, b: number | string | null): number {
  const none = (x: number | string | null): boolean => x === null || x === '' || (typeof x === 'number' && Number.isNaN(x));
  if (none(a) || none(b)) return Number(none(a)) - Number(none(b));
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** row, the identifiers, label: the file that `--feedback` and `--review` take. */
export function labelsFile(): string {
  const ids = report.table_columns.map((column, k) => ({ column, k })).filter(({ column }) => column.id);
  const lines = report.findings
    .filter((finding) => answers.has(finding.row))
    .map((finding) => [String(finding.row), ...ids.map(({ k }) => quoted(textOf(finding.cells[k]!))), String(answers.get(finding.row))].join(','));
  return [['row', ...ids.map(({ column }) => quoted(column.name)), 'label'].join(','), ...lines, ''].join('\n');
}

function save(): void {
  const address = URL.createObjectURL(new Blob([labelsFile()], { type: 'text/csv' }));
  h('a', { href: address, download: 'labels.csv' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export function ranking(): HTMLElement {
  const all = columns();
  const haystack = report.findings.map((finding) => [...finding.cells.map(textOf), ...finding.reasons.map((reason) => reason.text), String(finding.row)].join('\n').toLowerCase());
  let sorted = { key: 'rank', down: false }, page = 0, places = report.findings.map((_, place) => place);

  const search = h('input', { type: 'search', id: 'search', placeholder: 'any cell or reason', autocomplete: 'off', input: () => update() });
  const state = h('select', { id: 'state', change: () => update() }, ...[['all', 'all that are listed'], ['flagged', 'those that stand out'], ['open', 'without an answer'], ['1', 'confirmed'], ['0', 'dismissed']].map(([value, word]) => h('option', { value: value! }, word!)));
  const blamed = h('select', { id: 'blamed', change: () => update() }, h('option', { value: '' }, 'any column'), ...report.columns.filter((column) => report.findings.some((finding) => finding.reasons.some((reason) => reason.column === column.name))).map((column) => h('option', { value: column.name }, column.name)));
  const shown = h('p', { class: 'shown', role: 'status' });
  const saver = h('button', { type: 'button', id: 'save', click: save }, 'Save answers');
  const body = h('tbody');
  const heads = all.map((column) => {
    const head = h('th', { scope: 'col', class: column.numeric ? 'number' : '' }, h('button', { type: 'button', click: () => sortBy(column.key) }, own(column.name)));
    head.dataset.key = column.key;
    return head;
  });
  const turn = (by: number, word: string): HTMLButtonElement => h('button', { type: 'button', click: () => ((page += by), draw()) }, word);
  const back = turn(-1, 'Previous'), next = turn(1, 'Next');

  function wanted(place: number): boolean {
    const finding = report.findings[place]!, given = answers.get(finding.row);
    if (state.value === 'flagged' && !isFlagged(place)) return false;
    if (state.value === 'open' && given !== undefined) return false;
    if ((state.value === '1' || state.value === '0') && given !== Number(state.value)) return false;
    if (blamed.value && !finding.reasons.some((reason) => reason.column === blamed.value)) return false;
    return haystack[place]!.includes(search.value.trim().toLowerCase());
  }

  function sortBy(key: string): void {
    sorted = { key, down: sorted.key === key && !sorted.down };
    update();
  }

  function update(): void {
    const by = all.find((column) => column.key === sorted.key)!;
    places = report.findings.map((_, place) => place).filter(wanted);
    places.sort((a, b) => {
      const order = compare(by.value(report.findings[a]!), by.value(report.findings[b]!));
      return (sorted.down ? -order : order) || a - b;
    });
    page = 0;
    draw();
  }

  function rowOf(place: number): HTMLElement[] {
    const finding = report.findings[place]!, open = place === chosen, given = answers.get(finding.row);
    const opener = h('button', { type: 'button', class: 'opener', 'aria-expanded': open ? 'true' : 'false', 'aria-label': `Row ${finding.row}, rank ${finding.rank}: ${open ? 'close' : 'open'} its details` }, count(finding.rank));
    const row = h(
      'tr',
      { class: [isFlagged(place) ? 'flagged' : '', place === hovered ? 'hovered' : '', given === 1 ? 'confirmed' : given === 0 ? 'dismissed' : ''].join(' ').trim(), click: () => choose(place === chosen ? null : place), mouseenter: () => hover(place), mouseleave: () => hover(null) },
      ...all.map((column, i) => h('td', { class: column.numeric ? 'number' : column.key === 'reasons' ? 'reasons' : '' }, i === 0 ? opener : column.show(finding))),
    );
    row.dataset.place = String(place);
    if (given !== undefined) row.firstElementChild!.append(h('span', { class: 'given' }, given ? ' confirmed' : ' dismissed'));
    return open ? [row, h('tr', { class: 'open' }, h('td', { colspan: all.length }, details(finding)))] : [row];
  }

  function draw(): void {
    const pages = Math.max(1, Math.ceil(places.length / PAGE));
    page = Math.min(Math.max(page, 0), pages - 1);
    const some = places.slice(page * PAGE, (page + 1) * PAGE);
    body.replaceChildren(...some.flatMap(rowOf));
    for (const head of heads) head.setAttribute('aria-sort', head.dataset.key !== sorted.key ? 'none' : sorted.down ? 'descending' : 'ascending');
    shown.textContent = places.length === 0 ? 'No row fits.' : `Rows ${count(page * PAGE + 1)} to ${count(page * PAGE + some.length)} of ${count(places.length)}`;
    back.disabled = page === 0;
    next.disabled = page === pages - 1;
    tellAnswers();
  }

  function tellAnswers(): void {
    saver.textContent = answers.size ? `Save ${plural(answers.size, 'answer')} as labels.csv` : 'Save answers';
    saver.disabled = answers.size === 0;
  }

  on('hovered', () => {
    for (const row of body.querySelectorAll<HTMLElement>('tr[data-place]')) row.classList.toggle('hovered', Number(row.dataset.place) === hovered);
  });
  on('answered', () => {
    tellAnswers();
    for (const row of body.querySelectorAll<HTMLElement>('tr[data-place]')) {
      const given = answers.get(report.findings[Number(row.dataset.place)]!.row);
      row.classList.toggle('confirmed', given === 1);
      row.classList.toggle('dismissed', given === 0);
    }
  });
  on('chosen', () => {
    const at = chosen === null ? -1 : places.indexOf(chosen);
    if (chosen !== null && at < 0) {
      search.value = blamed.value = '';
      state.value = 'all';
      update();
    }
    if (chosen !== null) page = Math.floor(places.indexOf(chosen) / PAGE);
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-place]')?.dataset.place;
    draw();
    if (focused !== undefined) body.querySelector<HTMLElement>(`tr[data-place="${focused}"] button`)?.focus();
  });

  recall();
  update();
  return section(
    'ranking',
    'Ranking',
    h('p', {}, listedSentence()),
    h('form', { class: 'tools', submit: (event: Event) => event.preventDefault() }, h('label', { for: 'search' }, 'Search ', search), h('label', { for: 'state' }, 'Show ', state), h('label', { for: 'blamed' }, 'Reason about ', blamed), saver),
    h('div', { class: 'scroll ranking', tabindex: 0, role: 'region', 'aria-label': 'Ranking of rows' }, h('table', { id: 'rows' }, h('caption', { class: 'unseen' }, 'Rows, most abnormal first; a button in each opens its details'), h('thead', {}, h('tr', {}, ...heads)), body)),
    h('div', { class: 'pages' }, back, shown, next),
  );
}

function listedSentence(): string {
  const { flagged, listed, rows, table_column_count: has, table_columns: shown, explained, verdict } = { ...report, verdict: '' };
  const which = flagged > listed ? `Of the ${plural(flagged, 'row')} that stand out, the ${count(listed)} most abnormal are listed.` : `${flagged === 0 ? 'No row stands out' : flagged === 1 ? '1 row stands out' : `${count(flagged)} rows stand out`}${flagged < listed ? `; the ${plural(listed, 'row')} most abnormal are listed` : ''}.`;
  const narrow = shown.length < has ? ` ${count(shown.length)} of ${count(has)} columns are shown.` : '';
  const reasons = explained < listed ? ` The first ${count(explained)} have reasons.` : '';
  return sentence(`${which} Of the other ${plural(rows - listed, 'row')} ${count(report.sample.length)} are in this report, drawn at random, for the map.${narrow}${reasons}${verdict}`);
}
