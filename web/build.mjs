// Bundle the report's script and style into dist/, with the policy that names their digests. The files are committed and
// embedded by cmake/embed.cmake. `node build.mjs --check FOLDER` writes into FOLDER instead, so that a test can compare.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const check = process.argv.indexOf('--check');
const out = check > 0 ? process.argv[check + 1] : join(here, 'dist');

const made = await build({
  entryPoints: [join(here, 'src', 'main.ts')],
  bundle: true,
  minify: true,
  write: false,
  outdir: 'out',
  format: 'iife',
  target: ['chrome103', 'firefox104', 'safari15.4'],
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
});
const part = (ending) => made.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
const licence = readFileSync(join(here, 'node_modules', 'uplot', 'LICENSE'), 'utf8').trim();
const script = `/*! Contains uPlot (https://github.com/leeoniya/uPlot).\n${licence}\n*/\n${part('.js')}`;
const style = part('.css');

// A text that ended its element would end it early; a comment of HTML in a script would hide the rest.
for (const [name, text] of [['script', script], ['style', style]])
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`the ${name} holds what ends its element`);

const digest = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
const policy = `default-src 'none'; script-src ${digest(script)}; style-src ${digest(style)}; img-src data:; base-uri 'none'; form-action 'none'`;

mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'report.js'), script);
writeFileSync(join(out, 'report.css'), style);
writeFileSync(join(out, 'report.policy'), policy);
console.log(`script ${script.length} bytes, style ${style.length} bytes`);
