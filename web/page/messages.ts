// What the page and its worker tell each other.

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

/** Bytes of a table once it is unpacked: WebAssembly has 4 GB, and a table takes several times its text. */
export const LIMIT = 200e6;
