// Messages between the page and its worker.

/** A setting of the library and its value, as a settings file has them. */
export type Chosen = [string, string][];

export interface Job {
  wasm: ArrayBuffer; // compressed by gzip
  file: File;
  chosen: Chosen;
}

export type Answer =
  | { kind: 'progress'; share: number; what: string }
  | { kind: 'report'; page: Blob; version: string }
  | { kind: 'failure'; message: string; remedies: Chosen };

/** Bytes of a table once it is unpacked. A tab takes four to five times as much, and WebAssembly has 4 GB (docs/page.md). */
export const LIMIT = 500e6;
