// How good is the order? The mass-volume curve, the statistics W, stability; with labels ROC and precision.
import { chart } from './charts';
import type { Evaluation } from './data';
import { h, prose, section, table } from './dom';
import { chance, count, digits, percent, plural, sentence } from './format';
import { report } from './state';

export function curve(evaluation: Evaluation, height: number, values: boolean): HTMLElement {
  const at = (i: number): (number | null)[] => evaluation.curve.map((point) => point[i] ?? null);
  const banded = evaluation.curve.some((point) => point[4] !== null);
  const volume = evaluation.is_volume ? 'volume' : 'share of contrast rows';
  const [low, high] = evaluation.area_interval;
  return chart({
    title: 'Mass-volume curve',
    alternative: `Area under the curve ${digits(evaluation.area)} (${percent(evaluation.level)} interval ${digits(low)} to ${digits(high)}); 0 is best, 0.5 is a random order.`,
    x: { label: 'mass: share of the rows', values: at(0) as number[], range: [0, 1] },
    y: { label: volume, range: [0, 1] },
    lines: [
      { label: 'this order', values: at(1), colour: 'line' },
      { label: 'a random order', values: at(0), colour: 'muted', dash: [4, 4] },
      ...(banded ? [{ label: 'band, upper edge', values: at(5), colour: 'band', hidden: true }, { label: 'band, lower edge', values: at(4), colour: 'band', hidden: true }] : []),
    ],
    ...(banded ? { band: [2, 3] as [number, number] } : {}),
    height,
    ...(values ? {} : { table: false as const }),
  });
}

function stability(evaluation: Evaluation): Node {
  const stable = evaluation.stability;
  if (!stable) return h('p', {}, 'The stability of the order was not measured, because the report has a given model.');
  return h(
    'div',
    {},
    h('p', {}, `Two fits on different thirds of the rows order ${plural(stable.rows, 'other row')} with a rank correlation of ${digits(stable.spearman)}.`),
    table('Agreement of two fits', ['Lowest', 'Rows', 'In common', 'By chance'], stable.lowest.map((one) => [percent(one.share), count(one.rows), percent(one.overlap), percent(one.by_chance)])),
  );
}

function labelled(evaluation: Evaluation | undefined): Node | null {
  const { labels } = report;
  if (!labels) return null;
  const said = evaluation?.labelled;
  const base = labels.anomalies / (labels.normal + labels.anomalies);
  const auc = said ? `Area ${digits(said.roc_auc)} (${percent(evaluation!.level)} interval ${digits(said.roc_auc_interval[0])} to ${digits(said.roc_auc_interval[1])}); 1 is best, 0.5 is chance.` : `${plural(labels.anomalies, 'row')} labelled as anomalies, ${count(labels.normal)} as normal.`;
  return h(
    'div',
    {},
    h('h3', {}, 'By the labels'),
    evaluation?.fit_rows ? h('p', {}, 'The areas refer to held-out rows of a fit on two thirds; the curves refer to all rows as ranked here.') : null,
    h(
      'div',
      { class: 'two' },
      chart({
        title: 'ROC curve',
        alternative: auc,
        x: { label: 'share of normal rows', values: labels.curve.map((point) => point[0]), range: [0, 1] },
        y: { label: 'share of anomalies', range: [0, 1] },
        lines: [{ label: 'this order', values: labels.curve.map((point) => point[1]), colour: 'line' }, { label: 'chance', values: labels.curve.map((point) => point[0]), colour: 'muted', dash: [4, 4] }],
      }),
      chart({
        title: 'Precision and recall',
        alternative: said ? `Average precision ${digits(said.average_precision)}; ${digits(base)} by chance.` : `${digits(base)} by chance.`,
        x: { label: 'recall: share of anomalies', values: labels.curve.slice(1).map((point) => point[1]), range: [0, 1] },
        y: { label: 'precision', range: [0, 1] },
        lines: [{ label: 'this order', values: labels.curve.slice(1).map((point) => point[2]), colour: 'line' }, { label: 'chance', values: labels.curve.slice(1).map(() => base), colour: 'muted', dash: [4, 4] }],
      }),
    ),
    said ? table('Precision among the lowest rows', ['Lowest rows', 'Share of anomalies'], said.precision_lowest.map((one) => [count(one.k), percent(one.precision)])) : null,
  );
}

export function order(): HTMLElement {
  const { evaluation } = report;
  if (!evaluation) return section('order', 'How good is the order', h('p', {}, 'This was not evaluated.'), labelled(undefined));
  return section(
    'order',
    'How good is the order',
    h('p', {}, evaluation.verdict),
    h('p', {}, `Limitations: ${evaluation.not_proven}`),
    h('div', { class: 'two' }, curve(evaluation, 340, true), h('div', {}, h('h3', {}, 'Part by part'), h('p', {}, 'Partial areas; anomalies are near mass 1.'), table('Partial areas', ['Mass', 'Area', 'Interval'], evaluation.partial_areas.map((part) => [`${digits(part.from)} to ${digits(part.to)}`, digits(part.area), part.interval[0] === null ? '–' : `${digits(part.interval[0])} to ${digits(part.interval[1])}`])))),
    labelled(evaluation),
    h('h3', {}, 'Rank statistics'),
    h('p', {}, 'Each statistic weighs the order differently. The p-value tests whether these rows rank above contrast rows.'),
    table('Rank statistics', ['φ', 'Looks at', 'W / n', 'z', 'p-value'], evaluation.phis.filter((phi) => evaluation.w[phi.name]).map((phi) => {
      const w = evaluation.w[phi.name]!;
      return [phi.name, sentence(phi.looks_at), digits(w.mean), digits(w.z), chance(w.p_value)];
    })),
    h('h3', {}, 'Stability'),
    stability(evaluation),
    h('h3', {}, 'What was done'),
    h('ul', {}, ...evaluation.notes.map((note) => h('li', {}, prose(note))), h('li', {}, sentence(evaluation.saturation.verdict))),
  );
}
