// Incidents: rows of one entity that stand out near each other, each along time with the usual band of its entity.
import type { Incident } from './data';
import { h, own, section, table } from './dom';
import { chance, count, digits, plural, sentence } from './format';
import { along } from './series';
import { report } from './state';

const when = (at: number): string => (report.incidents!.moments ? new Date(1000 * at).toISOString().slice(0, 16).replace('T', ' ') : digits(at, 8));

function drawn(one: Incident): HTMLElement | null {
  const { points, column } = one;
  if (!points || !column) return null;
  const low = one.low ?? null, high = one.high ?? null;
  return along({
    title: `${one.entity ?? 'Incident'}: ${column}, ${when(one.from)} to ${when(one.to)}`,
    alternative: `${plural(one.rows, 'row')}, peak in row ${count(one.peak)}, p-value ${chance(one.p_value)}. The band is 5 to 95 % of the entity's values, ${digits(low)} to ${digits(high)}.`,
    x: { label: 'time', time: report.incidents!.moments, values: points.map((point) => point[0]) },
    column,
    values: points.map((point) => point[1]),
    marked: points.map((point) => point[2] === 1),
    low,
    high,
    rows: one.entity ? `rows of ${one.entity}` : 'rows',
    marks: 'incident',
    joined: true,
    height: 200,
  });
}

export function incidents(): HTMLElement | null {
  const { incidents: found } = report;
  if (!found) return null;
  const most = [...found.entities].sort((a, b) => b.incidents - a.incidents);
  return section(
    'incidents',
    'Incidents',
    h('p', {}, sentence(found.expected)),
    table('Incidents, most abnormal first', [found.by ?? 'incident', 'start', 'end', 'rows', 'peak row', 'p-value', 'tier'], found.list.map((one, i) => [one.entity === null ? String(i + 1) : own(one.entity), when(one.from), when(one.to), count(one.rows), count(one.peak), chance(one.p_value), one.tier])),
    found.by === null ? null : h('details', { class: 'values' }, h('summary', {}, `Entities by number of incidents: ${plural(most.length, 'entity').replace('entitys', 'entities')}`), table('Entities by number of incidents', [found.by, 'incidents'], most.map((one) => [own(one.entity ?? ''), count(one.incidents)]))),
    ...found.list.map(drawn),
  );
}
