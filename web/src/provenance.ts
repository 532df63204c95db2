// Settings and provenance: what was done with what, and how to do it again.
import { h, own, prose, section, table } from './dom';
import { count, digits, sentence } from './format';
import { report } from './state';

function settings(title: string, list: [string, string, string, string][]): HTMLElement {
  const changed = list.filter(([, value, usual]) => value !== usual);
  const row = ([name, value, usual, help]: [string, string, string, string]): (string | Node)[] => [name, value === '' ? '–' : own(value), usual === '' ? '–' : usual, help];
  const head = ['Setting', 'Value', 'Default', 'What it does'];
  return h(
    'div',
    {},
    h('h3', {}, title),
    changed.length ? table(`${title}: changed`, head, changed.map(row)) : h('p', {}, 'All at their defaults.'),
    h('details', {}, h('summary', {}, `${title}: all ${list.length}`), table(title, head, list.map(row))),
  );
}

export function provenance(): HTMLElement {
  const from = report.provenance;
  return section(
    'provenance',
    'Settings and provenance',
    h('dl', {}, h('dt', {}, 'Version'), h('dd', {}, `anorank ${from.version}`), h('dt', {}, 'Scorer'), h('dd', {}, `${from.scorer}, fitted on ${count(from.train_rows)} rows (${from.train})${from.known_rows ? `, with ${count(from.known_rows)} known anomalies` : ''}`), h('dt', {}, 'Calibration'), h('dd', {}, `${count(from.calibration_rows)} rows; the smallest p-value is ${digits(from.smallest_p_value, 2)}`), h('dt', {}, 'p-values'), h('dd', {}, sentence(from.p_values)), h('dt', {}, 'What they can show'), h('dd', {}, prose(sentence(report.resolution)))),
    from.command ? h('div', {}, h('h3', {}, 'To repeat it'), h('pre', { tabindex: 0, role: 'region', 'aria-label': 'Command' }, h('code', {}, from.command))) : null,
    from.files.length ? table('Files', ['File', 'Name', 'Bytes', 'SHA-256'], from.files.map((file) => [file.what, own(file.name), count(file.bytes), h('code', {}, file.sha256)])) : null,
    h('h3', {}, 'Notes'),
    h('ul', {}, ...report.notes.map((note) => h('li', {}, `${note.from}: `, prose(note.text)))),
    settings('Settings of the fit', from.fit_settings),
    settings('Settings of this report', from.report_settings),
  );
}
