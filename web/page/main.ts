// The page: choose a file, watch, and look at its report. The work is done by a worker (worker.ts), and nothing is sent anywhere.
import '../src/style.css';
import './page.css';
import { h, own, prose } from '../src/dom';
import { percent } from '../src/format';
import { LIMIT } from '../npm/engine';
import type { Answer, Chosen, Job } from './messages';

declare const WORKER: string; // the bundled text of worker.ts

const place = document.getElementById('page')!;
const code = Uint8Array.from(atob(document.getElementById('wasm')!.textContent!), (c) => c.charCodeAt(0)).buffer;
const workerAt = URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));

let worker: Worker | null = null;
let shown: string | null = null; // address of the report

const fields: { name: string; label: string; hint: string }[] = [
  { name: 'id', label: 'Columns that identify a row', hint: 'account, invoice' },
  { name: 'drop', label: 'Columns to leave out', hint: 'remark' },
  { name: 'fdr', label: 'False-discovery rate', hint: '0.1' },
];
const inputs = fields.map(({ name, hint }) => h('input', { id: `set-${name}`, type: 'text', placeholder: hint, autocomplete: 'off', spellcheck: 'false' }));

const chosen = (): Chosen =>
  fields.map(({ name }, i): [string, string] => [name, inputs[i]!.value.trim().replaceAll(/\s*,\s*/g, ',')]).filter(([, value]) => value !== '');

function stop(): void {
  worker?.terminate();
  worker = null;
  if (shown) URL.revokeObjectURL(shown);
  shown = null;
}

// ---- the four faces of the page

function start(trouble: HTMLElement | null = null): void {
  stop();
  document.body.classList.remove('showing');
  const input = h('input', { type: 'file', id: 'file', class: 'unseen', tabindex: -1, 'aria-label': 'File', change: () => input.files?.[0] && begin(input.files[0]) });
  const button = h('button', { type: 'button', id: 'choose', click: () => input.click() }, 'Choose a file');
  const zone = h('div', { id: 'drop' }, h('p', {}, h('strong', {}, 'Drop a table here')), h('p', {}, button, input), h('p', { class: 'said' }, `CSV, TSV, JSON lines, a JSON array or NPY; plain or compressed by gzip. Up to ${LIMIT / 1e6} MB.`));
  const options = h('details', { open: chosen().length > 0 }, h('summary', {}, 'Settings'), h('div', { class: 'settings' }, ...fields.map(({ name, label }, i) => h('p', {}, h('label', { for: `set-${name}` }, label), inputs[i]!))));
  place.replaceChildren(
    h('h1', {}, 'Find abnormal rows'),
    h('p', {}, 'Drop a table and get a report of its most abnormal rows, with reasons. No labels are needed.'),
    h('p', {}, h('strong', {}, 'Your file stays on this machine: '), 'all work happens in this browser, and the page cannot send data anywhere.'),
    ...(trouble ? [trouble] : []),
    zone,
    options,
    h('h2', {}, 'Good to know'),
    h('ul', {}, ...[
      'The report equals that of `anorank detect FILE --report report.html`: the same rows in the same order. Browsers lack fused multiply-add, so scores may differ by up to 0.0002.',
      'The page uses one processor. The command line uses all of them, and supports larger files, Excel workbooks, models and feedback.',
      'The page works without a network: save it and open it from disk.',
    ].map((text) => h('li', {}, prose(text)))),
  );
  (trouble ?? button).focus?.();
}

function working(file: File): (share: number, what: string) => void {
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress' }), what = h('p', { class: 'said', id: 'what', role: 'status' }, 'starting');
  const cancel = h('button', { type: 'button', id: 'cancel', click: () => start() }, 'Cancel');
  place.replaceChildren(h('h1', {}, 'Looking at ', own(file.name)), bar, what, h('p', {}, cancel));
  cancel.focus();
  let last = '';
  return (share, now) => {
    bar.value = Math.max(bar.value, share);
    const said = `${now}, ${percent(Math.floor(100 * bar.value) / 100)}`;
    if (said !== last) what.textContent = last = said;
  };
}

function failed(file: File, message: string, remedies: Chosen): HTMLElement {
  const again = remedies.map(([setting, value]) => h('button', { type: 'button', class: 'remedy', click: () => begin(file, [...chosen().filter(([name]) => name !== setting), [setting, value]]) }, 'Try again with ', h('code', {}, `${setting} = ${value}`)));
  return h('div', { class: 'warnings', role: 'alert', id: 'trouble', tabindex: -1 }, h('p', {}, prose(message)), again.length ? h('p', { class: 'again' }, ...again) : null);
}

function show(file: File, page: Blob): void {
  shown = URL.createObjectURL(page);
  const name = `${file.name.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '') || 'report'}-report.html`;
  const bar = h('div', { class: 'bar-top' }, h('strong', { class: 'name' }, own(file.name)), h('a', { class: 'button', id: 'save', href: shown, download: name }, 'Save the report'), h('button', { type: 'button', id: 'another', click: () => start() }, 'Another file'));
  const frame = h('iframe', { src: shown, title: `Report on ${file.name}`, id: 'report' });
  place.replaceChildren(h('h1', { class: 'unseen' }, `Report on ${file.name}`), bar, frame);
  document.body.classList.add('showing');
  frame.focus();
}

// ---- from one to the next

function begin(file: File, settings: Chosen = chosen()): void {
  stop();
  document.body.classList.remove('showing');
  const progress = working(file);
  const mine = (worker = new Worker(workerAt));
  mine.onmessage = (event: MessageEvent<Answer>) => {
    const answer = event.data;
    if (mine !== worker) return;
    if (answer.kind === 'progress') return progress(answer.share, answer.what);
    stop();
    if (answer.kind === 'report') show(file, answer.page);
    else start(failed(file, answer.message, answer.remedies));
  };
  mine.onerror = (event) => start(failed(file, `This browser cannot run the page: ${event.message || 'its worker does not start'}`, []));
  const job: Job = { wasm: code, file, chosen: settings };
  mine.postMessage(job);
}

addEventListener('dragover', (event) => (event.preventDefault(), document.body.classList.add('over')));
addEventListener('dragleave', () => document.body.classList.remove('over'));
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('over');
  const file = event.dataTransfer?.files[0];
  if (file) begin(file);
});
start();
