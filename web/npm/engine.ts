// The library as WebAssembly: tables in, results out. Each call runs in a new instance (web/wasm/engine.c), so memory is
// free afterwards, and a call that ran out of it, or was cancelled, leaves nothing behind.

/** A table: CSV, TSV, JSON lines or a JSON array as text, or the bytes of such a file or of NPY, also compressed by gzip. */
export type Table = string | Uint8Array;

/**
 * Settings of the command line by their names: `{ fdr: 0.1, drop: ['remark'], 'date-order': 'dmy' }`. Those of a list may be given as
 * an array.
 */
export type Settings = Record<string, string | number | boolean | readonly string[] | undefined>;

/** What a call may have besides settings. */
export interface Options {
  /** Name of the table in messages and reports; its ending counts like that of a file. */
  name?: string | undefined;
  /** Called with the share done, from 0 to 1, and what runs now. An error that it throws cancels the work. */
  onProgress?: ((share: number, what: string) => void) | undefined;
}

/** A remedy: the setting and the value that lead past an error. */
export interface Remedy {
  setting: string;
  value: string;
}

/** Why a cell makes its row abnormal. Members that do not apply are absent; docs/output.md has all of them. */
export interface Reason {
  column: string;
  kind: string;
  text: string;
  contribution?: number;
  value?: number | string;
  [key: string]: unknown;
}

/** A row, most abnormal first. Columns that identify rows, and those of the setting `keep`, are further members. */
export interface Finding {
  /** 1 is the most abnormal row; equal scores share a rank. */
  rank: number;
  /** Number of the row in the table, from 1. */
  row: number;
  /** Lower is more abnormal. */
  score: number;
  /** Share of normal rows that look at least as abnormal. */
  p_value: number;
  /** False-discovery rate at which the row is selected. */
  q_value: number;
  tier: 'apart' | 'unusual' | 'rest';
  reasons: Reason[];
  [column: string]: unknown;
}

export interface Headline {
  kind: 'none' | 'rate' | 'apart' | 'dependent' | 'shift';
  text: string;
  rate: number | null;
  selected: number;
  apart: number;
  unusual: number;
  [key: string]: unknown;
}

/** The result of `anorank detect --json`, and the notes on how columns are used. */
export interface Ranking {
  rows: number;
  reported: number;
  scorer: string;
  calibration_rows: number;
  headline: Headline;
  findings: Finding[];
  notes: string[];
  note_codes: string[];
  [key: string]: unknown;
}

/** Score and p-value of each row, in the order of the table. */
export interface Scores {
  scores: Float64Array;
  p_values: Float64Array;
}

export interface Anorank {
  readonly version: string;
  /** Fit on a table and rank the same rows, each as if it had been left out: `anorank detect`. */
  detect(table: Table, settings?: Settings, options?: Options): Promise<Ranking>;
  /** The report of `anorank detect --report`, as an HTML page. */
  report(table: Table, settings?: Settings, options?: Options): Promise<string>;
  /** Learn what is normal, by default from rows believed normal (`train` is `clean`): `anorank fit`. The bytes are a model file. */
  fit(table: Table, settings?: Settings, options?: Options): Promise<Uint8Array>;
  /** Rank the rows of a table with a model: `anorank rank`. */
  rank(model: Uint8Array, table: Table, settings?: Settings, options?: Options): Promise<Ranking>;
  /** Score the rows of a table with a model: `anorank score`. */
  score(model: Uint8Array, table: Table, settings?: Settings, options?: Options): Promise<Scores>;
}

/** What is wrong, where, and what helps. Branch on `code`; docs/errors.md lists the codes. */
export class AnorankError extends Error {
  readonly code: string;
  /** 'usage', 'data', 'model' or 'resources'. */
  readonly status: string;
  readonly remedies: Remedy[];
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly row: number | undefined;
  readonly column: string | undefined;
  readonly setting: string | undefined;

  constructor(about: { code: string; status: string; message: string; remedies?: Remedy[]; file?: string; line?: number; row?: number; column?: string; setting?: string }, cause?: unknown) {
    super(about.message, { cause });
    this.name = 'AnorankError';
    this.code = about.code;
    this.status = about.status;
    this.remedies = about.remedies ?? [];
    this.file = about.file;
    this.line = about.line;
    this.row = about.row;
    this.column = about.column;
    this.setting = about.setting;
  }
}

// ---- an instance

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  engine_version(): number;
  engine_room(size: number): number;
  engine_start(): number;
  engine_set(name: number, value: number): number;
  engine_load(from: number, size: number): number;
  engine_read(name: number, from: number, size: number): number;
  engine_fit(): number;
  engine_detect(): number;
  engine_rank(): number;
  engine_evaluate(): number;
  engine_rows(): number;
  engine_score(scores: number, pValues: number): number;
  engine_save(): number;
  engine_ranking(): number;
  engine_findings(): number;
  engine_report(name: number, packed: number, packedLength: number, command: number): number;
  engine_failure(): number;
  engine_bytes(): number;
  engine_length(): number;
}

/** Bytes of a table: as given, and unpacked. */
interface Input {
  name: string;
  given: Uint8Array;
  bytes: Uint8Array;
}

const NOT_OPEN = 8; // WASI: no such file
const utf8 = new TextEncoder();

class Cancelled {
  constructor(readonly reason: unknown) {}
}

class Instance {
  private lib!: Exports;
  private from = 0;
  private to = 1;

  constructor(private readonly options: Options) {}

  async open(module: WebAssembly.Module): Promise<this> {
    const system = new Proxy({}, { get: (_, name) => (name === 'proc_exit' ? (code: number) => { throw new Error(`the library ended with ${code}`); } : () => NOT_OPEN) });
    const engine = { progress: (share: number, what: number): void => this.tell(share, this.text(what)) };
    const instance = await WebAssembly.instantiate(module, { engine, wasi_snapshot_preview1: system as Record<string, () => number> });
    this.lib = instance.exports as unknown as Exports;
    this.lib._initialize();
    return this;
  }

  private tell(share: number, what: string): void {
    if (!this.options.onProgress) return;
    try {
      this.options.onProgress(this.from + (this.to - this.from) * share, what);
    } catch (error) {
      throw new Cancelled(error);
    }
  }

  /** What runs next, as a part of the whole. */
  part(from: number, to: number, what: string): void {
    [this.from, this.to] = [from, to];
    this.tell(0, what);
  }

  private text(at: number): string {
    const all = new Uint8Array(this.lib.memory.buffer);
    return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
  }

  private room(size: number): number {
    const at = this.lib.engine_room(size);
    if (at === 0) throw new RangeError('no memory');
    return at;
  }

  /** A copy in the library's memory, with a NUL behind it. */
  private put(what: string | Uint8Array): number {
    const bytes = typeof what === 'string' ? utf8.encode(what) : what, at = this.room(bytes.length + 1);
    const place = new Uint8Array(this.lib.memory.buffer, at, bytes.length + 1);
    place.set(bytes);
    place[bytes.length] = 0;
    return at;
  }

  private result(): Uint8Array {
    return new Uint8Array(this.lib.memory.buffer, this.lib.engine_bytes(), this.lib.engine_length());
  }

  private json(): unknown {
    return JSON.parse(new TextDecoder().decode(this.result()));
  }

  private check(status: number): void {
    if (status === 0) return;
    if (this.lib.engine_failure() !== 0) throw new RangeError('no memory');
    throw new AnorankError(this.json() as ConstructorParameters<typeof AnorankError>[0]);
  }

  version(): string {
    return this.text(this.lib.engine_version());
  }

  start(settings: [string, string][]): void {
    this.check(this.lib.engine_start());
    for (const [name, value] of settings) this.check(this.lib.engine_set(this.put(name), this.put(value)));
  }

  load(model: Uint8Array): void {
    this.check(this.lib.engine_load(this.put(model), model.length));
  }

  /** Returns where the bytes lie. */
  read(input: Input): number {
    const at = this.put(input.bytes);
    this.check(this.lib.engine_read(this.put(input.name), at, input.bytes.length));
    return at;
  }

  step(name: 'fit' | 'detect' | 'rank' | 'evaluate'): void {
    this.check(this.lib[`engine_${name}`]());
  }

  save(): Uint8Array {
    this.check(this.lib.engine_save());
    return this.result().slice();
  }

  scores(): Scores {
    const rows = this.lib.engine_rows(), [scores, pValues] = [this.room(8 * rows), this.room(8 * rows)];
    this.check(this.lib.engine_score(scores, pValues));
    const taken = (at: number): Float64Array => new Float64Array(this.lib.memory.buffer, at, rows).slice();
    return { scores: taken(scores), p_values: taken(pValues) };
  }

  ranking(): Ranking {
    this.check(this.lib.engine_ranking());
    const ranking = this.json() as Ranking;
    this.check(this.lib.engine_findings());
    const lines = new TextDecoder().decode(this.result()).split('\n');
    ranking.findings = ranking.findings.map((of, i) => ({ ...(JSON.parse(lines[i]!) as object), ...of }));
    return ranking;
  }

  report(input: Input, at: number, command: string): string {
    const given = input.given === input.bytes ? at : this.put(input.given);
    this.check(this.lib.engine_report(this.put(input.name), given, input.given.length, this.put(command)));
    return new TextDecoder().decode(this.result());
  }
}

// ---- from JavaScript to texts

const inName = (name: string): string => name.replaceAll(',', '\\,');

/** Settings as texts, in their order. */
function chosen(settings: Settings): [string, string][] {
  return Object.entries(settings).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    if (typeof value === 'object') return [[name, value.map(inName).join(',')]];
    return [[name, typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)]];
  });
}

const quoted = (word: string): string => (/^[\w./,:+@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** What gives the same report on the command line. */
const commandFor = (name: string, settings: [string, string][]): string =>
  ['anorank detect', quoted(name.startsWith('-') ? `./${name}` : name), ...settings.map(([setting, value]) => `--${setting} ${quoted(value)}`), '--report report.html'].join(' ');

async function unpacked(given: Uint8Array, name: string): Promise<Uint8Array> {
  try {
    const bytes = new Blob([given as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(bytes).arrayBuffer());
  } catch (error) {
    throw new AnorankError({ code: 'gzip-corrupt', status: 'data', message: `${name}: the gzip data are damaged or cut off; copy the file again, or check it with 'gzip -t'`, file: name }, error);
  }
}

/** Bytes of a table once it is unpacked. Work takes four to five times as much, and WebAssembly has 4 GB (docs/page.md). */
export const LIMIT = 500e6;

export function checkSize(name: string, size: number): void {
  if (size > LIMIT) throw new AnorankError({ code: 'memory-limit', status: 'resources', message: `${name}: has ${Math.ceil(size / 1e6)} MB, more than the limit of ${LIMIT / 1e6} MB; use the command line, or a part of the rows`, file: name });
}

async function inputOf(table: Table, options: Options): Promise<Input> {
  const given = typeof table === 'string' ? utf8.encode(table) : table, name = options.name ?? 'table';
  const isPacked = given[0] === 0x1f && given[1] === 0x8b && given[2] === 8;
  const bytes = isPacked ? await unpacked(given, name) : given;
  checkSize(name, bytes.length);
  return { name, given, bytes };
}

/** A selection of rows is one number. */
function checkSelection(settings: Settings): void {
  if (['lowest', 'mass', 'fdr'].filter((name) => Number(settings[name] ?? 0) > 0).length > 1)
    throw new AnorankError({ code: 'selection-ambiguous', status: 'usage', message: 'lowest, mass and fdr each choose the rows to report; give one of them' });
}

/** The code of anorank.wasm: its bytes, or a Response or Blob that holds them. */
export type Code = ArrayBuffer | Uint8Array | { arrayBuffer(): Promise<ArrayBuffer> };

export async function compiled(code: Code): Promise<Anorank> {
  const source = 'arrayBuffer' in code ? await code.arrayBuffer() : code;
  const module = await WebAssembly.compile(source as BufferSource);
  const version = (await new Instance({}).open(module)).version();

  async function run<Result>(table: Table, options: Options, work: (instance: Instance, input: Input) => Result): Promise<Result> {
    const input = await inputOf(table, options);
    try {
      return work(await new Instance(options).open(module), input);
    } catch (error) {
      if (error instanceof Cancelled) throw error.reason;
      const lacking = error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
      throw lacking ? new AnorankError({ code: 'memory-exhausted', status: 'resources', message: `${input.name}: not enough memory for it; use a part of the rows, or the command line`, file: input.name }, error) : error;
    }
  }

  return {
    version,
    detect: (table, settings = {}, options = {}) =>
      run(table, options, (instance, input) => {
        checkSelection(settings);
        instance.start([['train', 'contaminated'], ...chosen(settings)]);
        instance.part(0, 0.1, 'reading');
        instance.read(input);
        instance.part(0.1, 1, 'learning');
        instance.step('detect');
        return instance.ranking();
      }),
    report: (table, settings = {}, options = {}) =>
      run(table, options, (instance, input) => {
        const given = chosen(settings);
        instance.start([['train', 'contaminated'], ...given, ['keep', 'all']]);
        instance.part(0, 0.1, 'reading');
        const at = instance.read(input);
        instance.part(0.1, 0.6, 'learning');
        instance.step('detect');
        instance.part(0.6, 0.95, 'judging the order');
        instance.step('evaluate');
        instance.part(0.95, 1, 'writing the report');
        return instance.report(input, at, commandFor(input.name, given));
      }),
    fit: (table, settings = {}, options = {}) =>
      run(table, options, (instance, input) => {
        instance.start(chosen(settings));
        instance.part(0, 0.3, 'reading');
        instance.read(input);
        instance.part(0.3, 1, 'learning');
        instance.step('fit');
        return instance.save();
      }),
    rank: (model, table, settings = {}, options = {}) =>
      run(table, options, (instance, input) => {
        checkSelection(settings);
        instance.start(chosen(settings));
        instance.load(model);
        instance.part(0, 0.3, 'reading');
        instance.read(input);
        instance.part(0.3, 1, 'ranking');
        instance.step('rank');
        return instance.ranking();
      }),
    score: (model, table, settings = {}, options = {}) =>
      run(table, options, (instance, input) => {
        instance.start(chosen(settings));
        instance.load(model);
        instance.part(0, 0.3, 'reading');
        instance.read(input);
        instance.part(0.3, 1, 'scoring');
        return instance.scores();
      }),
  };
}
