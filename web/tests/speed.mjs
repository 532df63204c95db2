// speed.mjs PAGE.WASM FILE [REPORT] - what the page does with a file, without a browser: seconds, processor time and memory, to be put beside
// `anorank detect FILE --threads 1 --report`. PARTS=1 says where the time goes. Not a test: nothing here is expected of a machine.
import { readFileSync, writeFileSync } from 'node:fs';

const [, , wasm, path, report] = process.argv;
const parts = [];
let lib, now = '', since = 0;
const user = () => process.cpuUsage().user / 1e6;
const textAt = (at) => {
  const all = new Uint8Array(lib.memory.buffer);
  return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
};

function progress(_, what) {
  const next = textAt(what);
  if (next === now) return;
  parts.push([now, user() - since]);
  now = next;
  since = user();
}

function put(bytes) {
  const at = lib.page_room(bytes.length + 1), room = new Uint8Array(lib.memory.buffer, at, bytes.length + 1);
  room.set(bytes);
  room[bytes.length] = 0;
  return at;
}

const system = new Proxy({}, { get: () => () => 8 }); // there is no such file
lib = (await WebAssembly.instantiate(readFileSync(wasm), { page: { progress }, wasi_snapshot_preview1: system })).instance.exports;
lib._initialize();
const bytes = readFileSync(path), at = put(bytes), [name, chosen, command] = ['rows.csv', '', ''].map((text) => put(new TextEncoder().encode(text)));
const clock = performance.now(), start = (since = user());
const status = lib.page_run(name, at, bytes.length, at, bytes.length, chosen, command);
parts.push([now, user() - since]);
if (process.env.PARTS) for (const [what, took] of parts) console.log(`${took.toFixed(2).padStart(8)} ${what}`);
console.log(status === 0 ? `${((performance.now() - clock) / 1000).toFixed(2)} s, ${(user() - start).toFixed(2)} s of processor, ${(lib.memory.buffer.byteLength / 1e6).toFixed(0)} MB` : textAt(lib.page_message()));
if (report && status === 0) writeFileSync(report, new Uint8Array(lib.memory.buffer, lib.page_report(), lib.page_report_length()));
process.exit(status);
