// The page that does the work in the browser: what it shows is what `anorank detect --report` writes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { anorank, at, check, dataOf, dataIn, finish, openAt } from './harness.mjs';

const PATIENCE = 240000; // a busy machine
const { page, troubles, context } = await openAt(process.env.PAGE, '#choose');
page.setDefaultTimeout(PATIENCE);
const done = () => page.waitForSelector('#report, #trouble');
const frame = page.frameLocator('#report');

anorank('example', 'cards', '--seed', '3', '--rows', '600', '-o', 'cards.csv', '-q');
anorank('detect', 'cards.csv', '--report', 'native.html', '-o', 'ranked.csv', '-q');
const native = dataOf('native.html');
writeFileSync(at('plain.csv'), `a,b\n${Array.from({ length: 25 }, (_, i) => `${(i * 7) % 12}.5,${(i * 11) % 13}.5`).join('\n')}`);

/** What is in the report that the page shows, as it would be saved. */
async function shown() {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

function nearlyEqual(own, theirs, where = '') {
  if (typeof theirs === 'number') return assert.ok(Math.abs(own - theirs) <= 2e-4 * Math.max(1, Math.abs(theirs)), `${where}: ${own} is not ${theirs}`);
  if (theirs === null || typeof theirs !== 'object') return assert.equal(own, theirs, where);
  assert.deepEqual(Object.keys(own), Object.keys(theirs), where);
  for (const key of Object.keys(theirs)) nearlyEqual(own[key], theirs[key], `${where}.${key}`);
}

await check('the page says what it is, what it takes, and that nothing leaves it', async () => {
  const text = await page.textContent('#page');
  for (const words of ['stays on this machine', 'Up to 500 MB', 'fused multiply-add', '0.0002']) assert.ok(text.includes(words), words);
  const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+' 'sha256-[^']+' 'wasm-unsafe-eval'; style-src 'sha256-[^']+' 'sha256-[^']+'; worker-src blob:; frame-src blob:; img-src data:; base-uri 'none'; form-action 'none'$/);
});

await check('a dropped file: the report of detect, row for row', async () => {
  const text = readFileSync(at('cards.csv'), 'utf8');
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], 'cards.csv'));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  }, text);
  assert.equal(await page.locator('#cancel').count(), 1);
  await done();
  await frame.locator('#rows tbody tr').first().waitFor();
  assert.equal(await frame.locator('h1').textContent(), `${native.answer[0].toUpperCase()}${native.answer.slice(1)}.`);
  const worst = await frame.locator('.worst button').allTextContents();
  const ranked = JSON.parse(anorank('detect', 'cards.csv', '--lowest', '10', '--json', '-q'));
  assert.deepEqual(worst, ranked.findings.slice(0, 10).map((one) => `Row ${one.row}`));
  const saved = await shown();
  assert.equal(saved.name, 'cards-report.html');
  const own = dataIn(saved.text);
  assert.equal(own.provenance.command, 'anorank detect cards.csv --report report.html');
  for (const key of ['answer', 'resolution', 'rows', 'flagged', 'listed', 'warnings', 'columns', 'table_columns']) nearlyEqual(own[key], native[key], key);
  const notes = (of) => of.notes.map((note) => note.text).filter((text) => !/for the scorer/.test(text)); // pointers are shorter
  assert.deepEqual(notes(own), notes(native));
  assert.deepEqual(own.provenance.files, native.provenance.files);
  own.findings.forEach((finding, i) => {
    const other = native.findings[i];
    assert.equal(finding.row, other.row);
    nearlyEqual([finding.score, finding.p_value, finding.q_value], [other.score, other.p_value, other.q_value], `place ${i}`);
    assert.deepEqual(finding.reasons.map((reason) => reason.text), other.reasons.map((reason) => reason.text));
  });
  nearlyEqual(own.evaluation, native.evaluation, 'evaluation');
});

await check('the report inside works: links, rows, no step beyond it', async () => {
  await frame.locator('nav a', { hasText: 'Columns' }).click();
  await frame.locator('#rows tr[data-place="0"] .opener').click();
  assert.equal(await frame.locator('.against').count(), 1);
  assert.equal(await page.locator('#another').count(), 1);
});

await check('another file, packed, with settings', async () => {
  await page.click('#another');
  await page.click('summary');
  await page.fill('#set-drop', 'fraud , hour');
  await page.fill('#set-fdr', '0.2');
  writeFileSync(at('cards.csv.gz'), gzipSync(readFileSync(at('cards.csv'))));
  await page.setInputFiles('#file', at('cards.csv.gz'));
  await done();
  anorank('detect', 'cards.csv.gz', '--drop', 'fraud,hour', '--fdr', '0.2', '--report', 'packed.html', '-o', 'x.csv', '-q');
  const saved = await shown(), own = dataIn(saved.text), other = dataOf('packed.html');
  assert.equal(own.provenance.command, 'anorank detect cards.csv.gz --drop fraud,hour --fdr 0.2 --report report.html');
  assert.deepEqual(own.provenance.files, other.provenance.files);
  assert.deepEqual(own.findings.slice(0, 10).map((one) => one.row), other.findings.slice(0, 10).map((one) => one.row));
  await page.click('#another');
  await page.fill('#set-drop', '');
  await page.fill('#set-fdr', '');
});

await check('a broken file gives the message of the command line, and its remedies', async () => {
  const lines = ['a,b'];
  for (let i = 0; i < 200000; i++) lines.push(`${i % 97},${(i * 7) % 89}.5`);
  lines.push('3,oops');
  for (const [name, content] of [['broken.csv', 'a,b\n1,2\n"3,4\n'], ['empty.csv', ''], ['late.csv', lines.join('\n')]]) {
    writeFileSync(at(name), content);
    let said = '';
    try {
      execFileSync(process.env.ANORANK, ['detect', name, '-q'], { cwd: at('.'), stdio: 'pipe', encoding: 'utf8' });
    } catch (error) {
      said = error.stderr;
    }
    await page.setInputFiles('#file', at(name));
    await page.waitForSelector('#trouble');
    const message = await page.locator('#trouble p').first().textContent();
    assert.ok(message.length > 20 && said.startsWith(`anorank: ${message.trim()}`), `${name}: ${message} | ${said}`);
    for (const button of await page.locator('.remedy code').allTextContents()) assert.ok(said.includes(`--${button.replace(' = ', '=')}`), `${button} | ${said}`);
    if (name === 'late.csv') assert.ok((await page.locator('.remedy').count()) > 0);
    else assert.equal(await page.locator('.remedy').count(), 0);
  }
});

await check('what the page cannot unpack is told with a remedy', async () => {
  for (const [name, bytes, words] of [['book.xlsx', [0x50, 0x4b, 3, 4, 20, 0], 'save the sheet as CSV'], ['x.csv.zst', [0x28, 0xb5, 0x2f, 0xfd, 0, 0], 'by zstd'], ['cut.csv.gz', [...gzipSync('a,b\n1,2\n'.repeat(100)).subarray(0, 20)], 'gzip data are']]) {
    writeFileSync(at(name), Buffer.from(bytes));
    await page.setInputFiles('#file', at(name));
    await page.waitForSelector(`#trouble:has-text("${name}")`);
    assert.ok((await page.textContent('#trouble')).includes(words));
  }
});

await check('cancel stops at once, and the page goes on', async () => {
  anorank('example', 'cards', '--seed', '4', '--rows', '40000', '-o', 'large.csv', '-q');
  await page.setInputFiles('#file', at('large.csv'));
  await page.waitForFunction(() => /learning|fitting/.test(document.getElementById('what')?.textContent ?? ''));
  assert.ok((await page.getAttribute('progress', 'value')) > 0);
  const before = Date.now();
  await page.click('#cancel');
  await page.waitForSelector('#choose');
  assert.ok(Date.now() - before < 5000);
  for (let i = 0; i < 100 && page.workers().length > 0; i++) await page.waitForTimeout(50);
  assert.equal(page.workers().length, 0);
  await page.setInputFiles('#file', at('cards.csv'));
  await done();
  assert.equal(await page.locator('#report').count(), 1);
});

await check('axe finds nothing serious: light, dark, a phone; nothing is wider than the window', async () => {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { viewport: { width: 390, height: 844 } }]) {
    const { page: looked } = await openAt(process.env.PAGE, '#choose', { bypassCSP: true, ...options });
    looked.setDefaultTimeout(PATIENCE);
    const look = async (what) => {
      const found = await looked.evaluate(`${source}; axe.run()`);
      const bad = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`);
      assert.deepEqual(bad, [], `${what} ${JSON.stringify(options)}`);
      assert.ok((await looked.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, what);
    };
    await looked.click('summary');
    await look('start');
    await looked.setInputFiles('#file', at('broken.csv'));
    await looked.waitForSelector('#trouble');
    await look('trouble');
    await looked.setInputFiles('#file', at('plain.csv'));
    await looked.waitForSelector('#report');
    await looked.frameLocator('#report').locator('#rows tbody tr').first().waitFor();
    await look('report');
    await looked.context().close();
  }
});

await check('no error, no request, no dialog on the way', () => {
  assert.deepEqual(troubles, []);
  return context.close();
});

await finish();
