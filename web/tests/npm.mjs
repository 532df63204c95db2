// The npm package as a user has it, next to the command line: run by scripts/dist-check-npm.sh in the folder of an installation.
// ANORANK names the command line, ROOT the sources, CHROMIUM a browser.
import { AnorankError, load } from 'anorank';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const NEAR = 1e-9; // scores: without fused multiply-add the last digits may differ
const { ANORANK, ROOT, CHROMIUM } = process.env;
const anorank = (...words) => execFileSync(ANORANK, words, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });

let farthest = 0;

function near(own, theirs, where) {
  if (typeof theirs === 'number') {
    const gap = Math.abs(own - theirs) / Math.max(1, Math.abs(theirs));
    farthest = Math.max(farthest, gap);
    return assert.ok(gap <= NEAR, `${where}: ${own} is not ${theirs}`);
  }
  if (theirs === null || typeof theirs !== 'object') return assert.equal(own, theirs, where);
  assert.deepEqual(Object.keys(own).sort(), Object.keys(theirs).sort(), where);
  for (const key of Object.keys(theirs)) near(own[key], theirs[key], `${where}.${key}`);
}

/** The ranking of the command line, and ours without the notes, which it writes elsewhere. */
function same(own, words, where) {
  const theirs = JSON.parse(anorank(...words, '--json', '-q'));
  const { notes, note_codes, ...ranking } = own;
  assert.ok(notes.length > 0 && notes.length === note_codes.length, where);
  near(ranking, theirs, where);
}

anorank('example', 'cards', '--seed', '3', '--rows', '2000', '-o', 'cards.csv', '-q');
anorank('example', 'cards', '--seed', '4', '--rows', '1000', '--anomalies', '0', '-o', 'history.csv', '-q');
anorank('fit', 'history.csv', '--drop', 'fraud', '-o', 'history.anr', '-q');
const cards = readFileSync('cards.csv'), history = readFileSync('history.csv'), library = await load();

async function refused(work, code, fields = {}) {
  const error = await work.then(() => assert.fail('was not refused'), (caught) => caught);
  assert.ok(error instanceof AnorankError, String(error.stack));
  const { name, message, ...own } = error;
  for (const [key, value] of Object.entries({ code, ...fields })) assert.deepEqual(own[key], value, `${key}: ${message}`);
}

test('the version is that of the package and of the program', () => {
  const version = JSON.parse(readFileSync('node_modules/anorank/package.json', 'utf8')).version;
  assert.equal(library.version, version);
  assert.ok(anorank('--version').includes(version));
});

test('detect: the ranking of the command line, from a text, bytes and gzip', async () => {
  const settings = { drop: ['fraud'], lowest: 20, keep: 'all' }, words = ['detect', 'cards.csv', '--drop', 'fraud', '--lowest', '20', '--keep', 'all'];
  const ranking = await library.detect(cards, settings);
  same(ranking, words, 'detect');
  assert.deepEqual(await library.detect(cards.toString(), settings), ranking);
  assert.deepEqual(await library.detect(gzipSync(cards), settings), ranking);
});

test('fit, score and rank: those of the command line, by a model of either', async () => {
  const own = await library.fit(history, { drop: 'fraud' });
  writeFileSync('own.anr', own);
  for (const [name, model] of [['own.anr', own], ['history.anr', readFileSync('history.anr')]]) {
    const { scores, p_values } = await library.score(model, cards);
    const theirs = anorank('score', name, 'cards.csv', '-q', '--output-format', 'jsonl').trim().split('\n').map((line) => JSON.parse(line));
    near([...scores], theirs.map((row) => row.score), `${name}: scores`);
    near([...p_values], theirs.map((row) => row.p_value), `${name}: p-values`);
    same(await library.rank(model, cards, { fdr: 0.1 }), ['rank', name, 'cards.csv', '--fdr', '0.1'], name);
  }
  near([...(await library.score(own, cards)).scores], [...(await library.score(readFileSync('history.anr'), cards)).scores], 'own fit');
});

test('report: the page of the command line', async () => {
  const dataOf = (page) => JSON.parse(page.match(/<script type="application\/json" id="data">([^]*?)<\/script>/)[1]);
  anorank('detect', 'cards.csv', '--drop', 'fraud', '--report', 'report.html', '-o', 'ranked.csv', '-q');
  const own = dataOf(await library.report(cards, { drop: 'fraud' }, { name: 'cards.csv' })), theirs = dataOf(readFileSync('report.html', 'utf8'));
  assert.deepEqual(own.findings.map((one) => one.row), theirs.findings.map((one) => one.row));
  assert.deepEqual(own.provenance.files, theirs.provenance.files);
  assert.equal(own.provenance.command, 'anorank detect cards.csv --drop fraud --report report.html');
});

test('entities and times', async () => {
  anorank('example', 'fleet', '--rows', '3000', '-o', 'fleet.csv', '-q');
  const settings = { by: 'machine', time: 'time', drop: 'failure', incidents: true, mass: 0.99 };
  same(await library.detect(readFileSync('fleet.csv'), settings), ['detect', 'fleet.csv', '--by', 'machine', '--time', 'time', '--drop', 'failure', '--incidents', '--mass', '0.99'], 'fleet');
});

test('errors have codes, places and remedies', async () => {
  const late = `a,b\n${Array.from({ length: 200000 }, (_, i) => `${i % 97},${(i * 7) % 89}.5`).join('\n')}\n3,oops\n`;
  await refused(library.detect(late, {}, { name: 'late.csv' }), 'cell-not-number', { status: 'data', file: 'late.csv', line: 200002, column: 'b' });
  await refused(library.detect(cards, { treees: 3 }), 'setting-unknown', { status: 'usage' });
  await refused(library.detect(cards, { lowest: 1, fdr: 0.1 }), 'selection-ambiguous', { status: 'usage' });
  await refused(library.detect('PK\u0003\u0004', {}, { name: 'book.xlsx' }), 'web-archive', { status: 'data' });
  await refused(library.detect(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0)), 'web-compressed');
  await refused(library.detect(gzipSync(cards).subarray(0, 500)), 'gzip-corrupt');
  await refused(library.score(readFileSync('history.anr').subarray(0, 900), cards), 'model-cut-short', { status: 'model' });
});

test('progress rises to the end, and its error cancels', async () => {
  const seen = [];
  await library.detect(cards, {}, { onProgress: (share, what) => seen.push([share, what]) });
  assert.ok(seen.length > 3 && seen.every(([share, what], i) => share >= (seen[i - 1]?.[0] ?? 0) && share <= 1 && what.length > 0), JSON.stringify(seen));
  const reason = new Error('enough');
  await assert.rejects(library.detect(cards, {}, { onProgress: (share) => { if (share > 0.2) throw reason; } }), (error) => error === reason);
  assert.equal((await library.detect(cards, { lowest: 1 })).findings[0].rank, 1);
});

test('a bundle in a browser gives the same', { skip: CHROMIUM ? false : 'there is no Chromium' }, async () => {
  const of = createRequire(`${ROOT}/web/package.json`);
  mkdirSync('site', { recursive: true });
  writeFileSync('site/main.js', "import { load } from 'anorank';\nwindow.run = async (text) => (await (await load()).detect(text, { drop: 'fraud', lowest: 5 })).findings;\n");
  of('esbuild').buildSync({ entryPoints: ['site/main.js'], bundle: true, format: 'esm', platform: 'browser', outfile: 'site/bundle.js', logLevel: 'warning' });
  copyFileSync(createRequire(import.meta.url).resolve('anorank/anorank.wasm'), 'site/anorank.wasm');
  const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
  const server = createServer((request, response) => {
    const name = request.url.slice(1) || 'index.html', type = types[name.split('.').pop()];
    response.writeHead(type ? 200 : 404, { 'content-type': type ?? 'text/plain' });
    response.end(!type ? '' : name === 'index.html' ? '<!doctype html><script type="module" src="bundle.js"></script>' : readFileSync(`site/${name}`));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const browser = await of('playwright-core').chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => window.run);
    const findings = await page.evaluate((text) => window.run(text), cards.toString());
    assert.deepEqual(findings, (await library.detect(cards, { drop: 'fraud', lowest: 5 })).findings);
  } finally {
    await browser.close();
    server.close();
  }
});

test('the largest difference from the command line', () => console.log(`largest difference: ${farthest.toExponential(2)}`));
