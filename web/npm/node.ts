// anorank for Node.js, which reads its own files.
import { readFile } from 'node:fs/promises';
import { type Anorank, type Code, compiled } from './engine.js';

export { AnorankError } from './engine.js';
export type { Anorank, Code, Finding, Headline, Options, Ranking, Reason, Remedy, Scores, Settings, Table } from './engine.js';

/** Compile the library. Without an argument, anorank.wasm is read from beside this module. */
export async function load(code?: Code | Promise<Code>): Promise<Anorank> {
  return compiled(await (code ?? readFile(new URL('./anorank.wasm', import.meta.url))));
}
