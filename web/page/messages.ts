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
  | { kind: 'report'; page: Blob }
  | { kind: 'failure'; message: string; remedies: Chosen };
