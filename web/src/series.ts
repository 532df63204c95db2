// A column of numbers along time, with its usual band and marked rows.
import { chart } from './charts';
import { count, digits } from './format';
import { report } from './state';

export interface Along {
  title: string;
  alternative: string;
  x: { label: string; time: boolean; values: number[] };
  column: string;
  values: (number | null)[];
  marked: boolean[];
  low: number | null;
  high: number | null;
  rows: string; // what the points are
  marks: string;
  joined: boolean;
  height: number;
  table?: false;
}

export function along(about: Along): HTMLElement {
  const { title, alternative, x, values, low, high, height } = about;
  return chart({
    title,
    alternative,
    x,
    y: { label: about.column.slice(0, 40) },
    lines: [
      { label: 'usual, high', values: values.map(() => high), colour: 'band', hidden: true },
      { label: 'usual, low', values: values.map(() => low), colour: 'band', hidden: true },
      { label: about.rows, values, colour: 'other', as: about.joined ? 'line' : 'points' },
      { label: about.marks, values: values.map((value, i) => (about.marked[i] ? value : null)), colour: 'alert', as: 'points' },
    ],
    band: [0, 1],
    height,
    ...(about.table === false ? { table: false as const } : {}),
  });
}

/** The column that most reasons name, of all rows. */
export function series(height: number): HTMLElement | null {
  const { series: found } = report;
  if (!found) return null;
  const { column, low, high, rows, times } = found;
  const marked = times.map(() => false);
  for (const i of found.marks) marked[i] = true;
  const thinned = rows > times.length ? ' Each span shows its lowest and highest row.' : '';
  return along({
    title: `${column} over time`,
    alternative: `${count(found.marked)} of ${count(rows)} rows with a value are marked. The band is 5 to 95 % of the training rows, ${digits(low)} to ${digits(high)}.${thinned}`,
    x: { label: found.time.slice(0, 40), time: found.moments, values: times },
    column,
    values: found.values,
    marked,
    low,
    high,
    rows: 'rows',
    marks: 'stand out, far apart or unusual',
    joined: found.joined,
    height,
    table: false,
  });
}
