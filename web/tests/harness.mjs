// What the tests of the page share: the program, a browser, and named checks. Run by tests/web/web_check.sh.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

export const folder = mkdtempSync(join(tmpdir(), 'anorank-web-'));
export const at = (name) => join(folder, name);

/** Run the program in the folder; its standard output. */
export const anorank = (...args) => execFileSync(process.env.ANORANK, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });

/** What the page is told. */
export const dataIn = (page) => JSON.parse(page.match(/<script type="application\/json" id="data">([^]*?)<\/script>/)[1]);
export const dataOf = (name) => dataIn(readFileSync(at(name), 'utf8'));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** The file in a window without network. `troubles` collects what no page may do: errors, requests, dialogs. */
export const open = (name, options = {}) => openAt(at(name), '#rows tbody tr', options);

/** The same for any file; it is there when `ready` is. */
export async function openAt(path, ready, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  const troubles = [];
  page.on('console', (message) => message.type() === 'error' && troubles.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => troubles.push(`error: ${error}`));
  page.on('dialog', (dialog) => (troubles.push('dialog'), dialog.dismiss()));
  page.on('request', (request) => !/^(file|data|blob):/.test(request.url()) && troubles.push(`request: ${request.url()}`));
  const started = Date.now();
  await page.goto(`file://${path}`);
  await page.waitForSelector(ready);
  return { page, troubles, context, took: Date.now() - started };
}

let failures = 0, checks = 0;

export async function check(name, body) {
  checks++;
  try {
    await body();
  } catch (error) {
    failures++;
    console.log(`FAILED: ${name}\n${error.stack ?? error}`);
  }
}

/** Texts of digits: as near as so many digits can be. */
export function near(text, value, digits) {
  const shown = Number(text.replaceAll(',', ''));
  assert.ok(Math.abs(shown - value) <= Math.abs(value) * 0.51 * 10 ** (1 - digits) + 1e-300, `${text} is not ${value}`);
}

export async function finish() {
  await browser.close();
  rmSync(folder, { recursive: true });
  console.log(`${checks - failures} of ${checks} checks passed`);
  process.exit(failures ? 1 : 0);
}
