// speed.mjs PAGE.WASM FILE [REPORT] - what the page does with a file, without a browser: seconds, processor time and memory, to be put beside
// `anorank detect FILE --threads 1 --report`. PARTS=1 says where the time goes. Not a test: nothing here is expected of a machine.
import { buildSync } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';

const [, , wasm, path, report] = process.argv;
const engine = buildSync({ entryPoints: [new URL('../npm/engine.ts', import.meta.url).pathname], format: 'esm', write: false }).outputFiles[0].text;
const { compiled } = await import(`data:text/javascript,${encodeURIComponent(engine)}`);
const parts = [], user = () => process.cpuUsage().user / 1e6;
const library = await compiled(readFileSync(wasm)), bytes = readFileSync(path);
const clock = performance.now(), start = user();
let now = '', since = start;

function onProgress(_, what) {
  if (what === now) return;
  parts.push([now, user() - since]);
  now = what;
  since = user();
}

const page = await library.report(bytes, {}, { name: 'rows.csv', onProgress });
parts.push([now, user() - since]);
if (process.env.PARTS) for (const [what, took] of parts) console.log(`${took.toFixed(2).padStart(8)} ${what}`);
console.log(`${((performance.now() - clock) / 1000).toFixed(2)} s, ${(user() - start).toFixed(2)} s of processor, ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB`);
if (report) writeFileSync(report, page);
