// The page: `node build-page.mjs WASM OUT` writes one HTML file with its script, its style and the library as WebAssembly. Its
// policy names the digests of these, and those of the report's script and style, since a report is shown inside and inherits it.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const [wasm, out] = process.argv.slice(2);

const bundle = async (entry, define = {}) =>
  (await build({
    entryPoints: [join(here, 'page', entry)],
    bundle: true,
    minify: true,
    write: false,
    outdir: 'out',
    format: 'iife',
    target: ['chrome103', 'firefox113', 'safari16.4'],
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
    define,
  })).outputFiles;
const part = (files, ending) => files.find((file) => file.path.endsWith(ending)).text.trim();

const worker = part(await bundle('worker.ts'), '.js');
const made = await bundle('main.ts', { WORKER: JSON.stringify(worker) });
const script = part(made, '.js'), style = part(made, '.css');
for (const [name, text] of [['script', script], ['style', style]])
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`the ${name} holds what ends its element`);

const digest = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
const report = readFileSync(join(here, 'dist', 'report.policy'), 'utf8');
const [ofScript, ofStyle] = ['script', 'style'].map((kind) => report.match(new RegExp(`${kind}-src ('sha256-[^']+')`))[1]);
const policy = [
  "default-src 'none'",
  `script-src ${digest(script)} ${ofScript} 'wasm-unsafe-eval'`,
  `style-src ${digest(style)} ${ofStyle}`,
  'worker-src blob:',
  'frame-src blob:',
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const code = gzipSync(readFileSync(wasm), { level: 9 }).toString('base64');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>anorank: find the rows that do not fit</title>
<style>${style}</style>
</head>
<body>
<main id="page"><h1>Find the rows that do not fit</h1><noscript><p>This page needs JavaScript and WebAssembly.</p></noscript></main>
<script type="application/octet-stream" id="wasm">${code}</script>
<script>${script}</script>
</body>
</html>
`;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
console.log(`wasm ${readFileSync(wasm).length} bytes, script ${script.length} bytes, page ${Buffer.byteLength(page)} bytes: ${out}`);
