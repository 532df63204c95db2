// anorank for browsers and their bundlers, and for runtimes that fetch files.
import { type Anorank, type Code, compiled } from './engine.js';

export { AnorankError } from './engine.js';
export type { Anorank, Code, Finding, Headline, Options, Ranking, Reason, Remedy, Scores, Settings, Table } from './engine.js';

/** Compile the library. Without an argument, anorank.wasm is fetched from beside this module. */
export async function load(code?: Code | Promise<Code>): Promise<Anorank> {
  if (code) return compiled(await code);
  const response = await fetch(new URL('./anorank.wasm', import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return compiled(response);
}
