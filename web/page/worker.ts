// One file, in a worker: unpack it, hand it to the library, and send back the report or the message.
import { type Answer, type Chosen, type Job, LIMIT } from './messages';

interface Library {
  memory: WebAssembly.Memory;
  _initialize(): void;
  page_room(bytes: number): number;
  page_run(name: number, bytes: number, length: number, packed: number, packedLength: number, chosen: number, command: number): number;
  page_message(): number;
  page_remedies(): number;
  page_remedy_setting(i: number): number;
  page_remedy_value(i: number): number;
  page_report(): number;
  page_report_length(): number;
  page_version(): number;
}

const tell = (answer: Answer): void => postMessage(answer);
const NOT_OPEN = 8; // WASI: no such file

async function unpack(bytes: Blob): Promise<Blob> {
  return new Response(bytes.stream().pipeThrough(new DecompressionStream('gzip'))).blob();
}

async function library(wasm: ArrayBuffer): Promise<Library> {
  const code = await (await unpack(new Blob([wasm]))).arrayBuffer();
  const made: { exports?: Library } = {};
  const text = (at: number): string => textAt(made.exports!, at);
  const system = new Proxy({}, { get: (_, name) => (name === 'proc_exit' ? (code: number) => { throw new Error(`the library ended with ${code}`); } : () => NOT_OPEN) });
  const page = { progress: (share: number, what: number): void => tell({ kind: 'progress', share, what: text(what) }) };
  const { instance } = await WebAssembly.instantiate(code, { page, wasi_snapshot_preview1: system as Record<string, () => number> });
  made.exports = instance.exports as unknown as Library;
  made.exports._initialize();
  return made.exports;
}

function textAt(from: Library, at: number): string {
  const all = new Uint8Array(from.memory.buffer);
  return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
}

/** A copy in the library's memory, with a NUL behind it. */
function put(to: Library, bytes: Uint8Array): number {
  const at = to.page_room(bytes.length + 1);
  if (at === 0) throw new RangeError();
  const room = new Uint8Array(to.memory.buffer, at, bytes.length + 1);
  room.set(bytes);
  room[bytes.length] = 0;
  return at;
}

const quoted = (word: string): string => (/^[\w./,:+@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** What gives the same report on the command line. */
const commandFor = (name: string, chosen: Chosen): string =>
  ['anorank detect', quoted(name.startsWith('-') ? `./${name}` : name), ...chosen.map(([setting, value]) => `--${setting} ${quoted(value)}`), '--report report.html'].join(' ');

const isPacked = async (file: File): Promise<boolean> => {
  const [a, b, c] = new Uint8Array(await file.slice(0, 3).arrayBuffer());
  return a === 0x1f && b === 0x8b && c === 8;
};

async function bytesOf(file: File, packed: boolean): Promise<Uint8Array> {
  let held: Blob = file;
  try {
    if (packed) held = await unpack(file);
  } catch {
    throw new Error(`${file.name}: the gzip data are damaged or cut off; copy the file again, or check it with 'gzip -t'`);
  }
  if (held.size > LIMIT) throw new Error(`${file.name}: has ${Math.ceil(held.size / 1e6)} MB${packed ? ' once it is unpacked' : ''}, and this page takes ${LIMIT / 1e6} MB; use the command line, or a part of the rows`);
  return new Uint8Array(await held.arrayBuffer());
}

async function run({ wasm, file, chosen }: Job): Promise<void> {
  const packed = await isPacked(file), bytes = await bytesOf(file, packed);
  const lib = await library(wasm), utf8 = new TextEncoder();
  const at = put(lib, bytes), raw = packed ? new Uint8Array(await file.arrayBuffer()) : bytes, rawAt = packed ? put(lib, raw) : at;
  const lines = chosen.map(([setting, value]) => `${setting} = ${value}\n`).join('');
  const status = lib.page_run(put(lib, utf8.encode(file.name)), at, bytes.length, rawAt, raw.length, put(lib, utf8.encode(lines)), put(lib, utf8.encode(commandFor(file.name, chosen))));
  if (status === 0) {
    const report = new Uint8Array(lib.memory.buffer, lib.page_report(), lib.page_report_length()).slice();
    return tell({ kind: 'report', page: new Blob([report], { type: 'text/html' }), version: textAt(lib, lib.page_version()) });
  }
  const remedies: Chosen = Array.from({ length: lib.page_remedies() }, (_, i) => [textAt(lib, lib.page_remedy_setting(i)), textAt(lib, lib.page_remedy_value(i))]);
  tell({ kind: 'failure', message: textAt(lib, lib.page_message()), remedies });
}

onmessage = (event: MessageEvent<Job>): void => {
  run(event.data).catch((error: unknown) => {
    const lacking = error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
    tell({ kind: 'failure', message: lacking ? `${event.data.file.name}: the browser has too little memory for it; use the command line, or a part of the rows` : error instanceof Error ? error.message : String(error), remedies: [] });
  });
};
