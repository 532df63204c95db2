// What the library puts into the page: src/report/report_json.c writes it.

/** Missing; a number; a text; or a number or time with its own format. */
export type Cell = null | number | string | [string, number | null];

export interface Reason {
  column: string;
  kind: string;
  contribution: number;
  text: string;
}

export interface Row {
  rank: number;
  row: number;
  score: number | null;
  p_value: number;
  q_value: number;
  x: number;
  y: number;
  cells: Cell[];
}

export interface Finding extends Row {
  reasons: Reason[];
  near: number[];
}

export interface TableColumn {
  name: string;
  kind: 'numeric' | 'categorical' | 'time';
  id: boolean;
  model_column: number | null;
}

export interface ModelColumn {
  name: string;
  role: string;
  kind: string;
  features: number;
  missing_share: number;
  low?: number;
  median?: number;
  high?: number;
  train_levels?: number;
  first_reason: number;
  any_reason: number;
  missing?: number;
  missing_flagged?: number;
  bins?: { from: number; to: number; all: number[]; flagged: number[] };
  levels_here?: number;
  levels?: { level: string; all: number; flagged: number; train_share?: number }[];
}

export interface W {
  sum: number;
  mean: number;
  p_value: number;
  z: number;
}

export interface Agreement {
  rows: number;
  spearman: number | null;
  lowest: { share: number; rows: number; overlap: number; by_chance: number }[];
}

export interface Labelled {
  normal: number;
  anomalies: number;
  roc_auc: number;
  roc_auc_interval: [number, number];
  average_precision: number;
  precision_lowest: { k: number; precision: number }[];
}

export interface Evaluation {
  verdict: string;
  not_proven: string;
  blind: boolean;
  law: string;
  is_volume: boolean;
  fit_rows: number;
  n: number;
  m: number;
  area: number;
  area_interval: [number, number];
  w: Record<string, W>;
  partial_areas: { from: number; to: number; area: number; interval: [number | null, number | null] }[];
  saturation: { verdict: string };
  labelled?: Labelled;
  stability: Agreement | null;
  notes: string[];
  level: number;
  curve: (number | null)[][];
  phis: { name: string; formula: string; looks_at: string }[];
}

export interface Incident {
  entity: string | null;
  from: number;
  to: number;
  peak: number;
  rows: number;
  p_value: number;
  tier: string;
  column?: string;
  low?: number | null;
  high?: number | null;
  points?: [number, number | null, number][];
}

/** A column along time; `marks` are places of rows that stand out, are far apart or are unusual. */
export interface Series {
  time: string;
  moments: boolean;
  column: string;
  joined: boolean;
  low: number | null;
  high: number | null;
  rows: number;
  marked: number;
  times: number[];
  values: number[];
  marks: number[];
}

export interface Report {
  format: number;
  title: string;
  answer: string;
  resolution: string;
  rows: number;
  flagged: number;
  listed: number;
  explained: number;
  neighboured: number;
  rate: number;
  mass: number | null;
  warnings: { what: string; text: string }[];
  notes: { from: string; kind: string; text: string }[];
  provenance: {
    version: string;
    command: string | null;
    scorer: string;
    train: string;
    train_rows: number;
    known_rows: number;
    calibration_rows: number;
    smallest_p_value: number;
    p_values: string;
    files: { what: string; name: string; bytes: number; sha256: string }[];
    fit_settings: [string, string, string, string][];
    report_settings: [string, string, string, string][];
  };
  evaluation?: Evaluation;
  table_column_count: number;
  table_columns: TableColumn[];
  neighbours: Cell[][];
  findings: Finding[];
  sample: Row[];
  map: { features: number; share: [number, number]; x: [number, number]; y: [number, number]; grid_size?: number; grid?: number[] };
  flagged_with_reasons: number;
  columns: ModelColumn[];
  scores: { from: number; to: number; lowest: number | null; rows: number[]; calibration: number[]; contrast?: number[] };
  p_values: number[];
  thresholds: [number, number | null, number, number][];
  time?: { column: string; from: number; to: number; bins: [number, number, number | null][] };
  series?: Series;
  incidents?: { by: string | null; moments: boolean; expected: string; count: number; entities: { entity: string | null; incidents: number }[]; list: Incident[] };
  labels?: { column: string; normal: number; anomalies: number; curve: [number, number, number][] };
}

/** A cell as people read it. */
export const textOf = (cell: Cell): string =>
  cell === null ? '' : typeof cell === 'number' ? String(cell) : typeof cell === 'string' ? cell : cell[0];

/** A cell as a number, NaN where it is none. */
export const numberOf = (cell: Cell): number =>
  typeof cell === 'number' ? cell : Array.isArray(cell) ? cell[1] ?? NaN : NaN;
