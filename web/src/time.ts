// Scores along the time of the rows, where they have one.
import { chart } from './charts';
import { numberOf } from './data';
import { own, section, h } from './dom';
import { count, day, plural } from './format';
import { isFlagged, report } from './state';

export function time(): HTMLElement | null {
  const { time: along } = report;
  if (!along) return null;
  const k = report.table_columns.findIndex((column) => column.name === along.column);
  const width = (along.to - along.from) / along.bins.length;
  const most = along.bins.reduce((best, bin, i) => (bin[1] > along.bins[best]![1] ? i : best), 0);
  const when = (i: number): string => day(along.from + i * width);
  const points = k < 0 ? [] : [...report.findings.map((row, place) => ({ row, flagged: isFlagged(place) })), ...report.sample.map((row) => ({ row, flagged: false }))]
    .map(({ row, flagged }) => ({ at: numberOf(row.cells[k]!), score: row.score, flagged }))
    .filter((point) => Number.isFinite(point.at))
    .sort((a, b) => a.at - b.at);
  return section(
    'time',
    'Time',
    h('p', {}, 'By column ', own(along.column), `, from ${day(along.from)} to ${day(along.to)}.`),
    chart({
      title: 'Rows that stand out, along time',
      alternative: report.flagged === 0 ? 'No row stands out.' : `Most in one span: ${plural(along.bins[most]![1], 'row')} from ${when(most)}, of ${count(along.bins[most]![0])}.`,
      x: { label: 'time', time: true, values: along.bins.map((_, i) => along.from + (i + 0.5) * width) },
      y: { label: 'rows that stand out', range: [0, null] },
      lines: [{ label: 'rows that stand out', values: along.bins.map((bin) => bin[1]), colour: 'alert', as: 'bars' }],
      height: 180,
      table: { every: 1 },
    }),
    points.length === 0 ? null : chart({
      title: 'Scores along time',
      alternative: `${plural(points.length, 'row')}: listed rows, and others drawn at random. Lower is more abnormal.`,
      x: { label: 'time', time: true, values: points.map((point) => point.at) },
      y: { label: 'score' },
      lines: [
        { label: 'others', values: points.map((point) => (point.flagged ? null : point.score)), colour: 'other', as: 'points' },
        { label: 'stand out', values: points.map((point) => (point.flagged ? point.score : null)), colour: 'alert', as: 'points' },
      ],
    }),
  );
}
