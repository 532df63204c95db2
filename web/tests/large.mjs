// A report on a million rows: how long it takes to write, how large it is, how fast it opens; and the page on the same rows.
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { anorank, at, check, dataOf, finish, open, openAt } from './harness.mjs';

const MANY = '1000000';
anorank('simulate', 'gaussian', '--dim', '10', '--rows', '20000', '--seed', '1', '-o', 'train.csv', '-q');
anorank('simulate', 'gaussian', '--dim', '10', '--rows', MANY, '--seed', '2', '--sigma', '1.15', '-o', 'rows.csv', '-q');
anorank('fit', 'train.csv', '-o', 'm.anr', '--fast', '-q');
const started = Date.now();
anorank('report', 'm.anr', 'rows.csv', '-o', 'large.html', '-q');
console.log(`written in ${((Date.now() - started) / 1000).toFixed(1)} s, ${(statSync(at('large.html')).size / 1e6).toFixed(2)} MB`);

await check('under 5 MB, with the rows that stand out up to the cap', () => {
  const data = dataOf('large.html');
  console.log(data.answer);
  assert.ok(statSync(at('large.html')).size < 5e6);
  assert.equal(data.rows, 1e6);
  assert.equal(data.listed, Math.min(5000, Math.max(100, data.flagged)));
  assert.ok(data.flagged > 5000);
  assert.equal(data.sample.length, 2000);
});

await check('opens in under 2 s', async () => {
  const { took, troubles } = await open('large.html');
  console.log(`opened in ${took} ms`);
  assert.ok(took < 2000);
  assert.deepEqual(troubles, []);
});

if (!existsSync(process.env.PAGE)) console.log('the page was not built: make page');
else
  await check('the page takes as many, and has the first rows of detect', async () => {
    const { page, troubles } = await openAt(process.env.PAGE, '#choose');
    page.setDefaultTimeout(1800000);
    const begun = Date.now();
    await page.setInputFiles('#file', at('rows.csv'));
    await page.waitForSelector('#report, #trouble');
    console.log(`the page: ${(statSync(at('rows.csv')).size / 1e6).toFixed(0)} MB in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
    const worst = await page.frameLocator('#report').locator('.worst button').allTextContents();
    const ranked = JSON.parse(anorank('detect', 'rows.csv', '--lowest', '10', '--json', '-q'));
    assert.deepEqual(worst, ranked.findings.map((one) => `Row ${one.row.toLocaleString('en-US')}`));
    assert.deepEqual(troubles, []);
  });

await finish();
