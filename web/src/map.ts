// Rows as points: on the plane in which the usual rows differ most, over the p-value of that plane, or by two columns.
import { type Row, numberOf, textOf } from './data';
import { colour, h, onTheme, section } from './dom';
import { count, day, digits, percent } from './format';
import { answers, choose, chosen, hover, hovered, isFlagged, on, report } from './state';

const PLANE = 'plane';
const EDGE = { left: 52, right: 12, top: 10, bottom: 36 };
const FINER = 4; // the shades are drawn on a finer grid than that of the data
const LEVELS = [0.5, 0.1, 0.01]; // p-values at which the shade changes

interface Axis {
  label: string;
  low: number;
  high: number;
  values: number[]; // of findings, then of the sample
  text: (value: number) => string;
}

const rows: Row[] = [...report.findings, ...report.sample];

/** A number from 0 to 1 that depends on the row alone, to tell points of one level apart. */
const jitter = (row: number): number => ((row * 2654435761) % 4294967296) / 4294967296;

function axisOf(which: string, side: 'x' | 'y'): Axis {
  if (which === PLANE) {
    const [low, high] = report.map[side];
    const share = percent(report.map.share[side === 'x' ? 0 : 1], 2);
    return { label: `${side === 'x' ? 'first' : 'second'} principal axis (${share} of the variance)`, low, high, values: rows.map((row) => row[side]), text: (v) => digits(v, 2) };
  }
  const k = Number(which), column = report.table_columns[k]!;
  if (column.kind === 'categorical') {
    const levels = [...new Set(rows.map((row) => textOf(row.cells[k]!)))].sort();
    const at = new Map(levels.map((level, i) => [level, i]));
    return { label: column.name, low: -0.6, high: levels.length - 0.4, values: rows.map((row) => at.get(textOf(row.cells[k]!))! + 0.6 * (jitter(row.row) - 0.5)), text: (v) => (levels[Math.round(v)] ?? '').slice(0, 8) };
  }
  const values = rows.map((row) => numberOf(row.cells[k]!)), known = values.filter(Number.isFinite);
  let low = Math.min(...known), high = Math.max(...known);
  if (!(high > low)) (low -= 1), (high += 1);
  const room = 0.04 * (high - low);
  return { label: column.name, low: low - room, high: high + room, values, text: column.kind === 'time' ? day : (v) => digits(v, 3) };
}

export function map(): HTMLElement {
  const canvas = h('canvas', { tabindex: 0, role: 'application', 'aria-label': 'Map of the rows. The left and right arrow keys step through the listed rows by rank; Enter opens one.', 'aria-describedby': 'map-said' });
  const tip = h('p', { id: 'map-tip', role: 'status' }, 'Point at a mark, or use the arrow keys.');
  const choice = (id: string): HTMLSelectElement =>
    h('select', { id, change: () => redraw() }, h('option', { value: PLANE }, 'plane of most variation'), ...report.table_columns.map((column, k) => (column.id ? null : h('option', { value: String(k) }, column.name))));
  const across = choice('map-x'), up = choice('map-y');
  const rowsDrawn = document.createElement('canvas');
  let x: Axis, y: Axis, width = 0, height = 0;

  const left = (value: number): number => EDGE.left + (width - EDGE.left - EDGE.right) * Math.min(1, Math.max(0, (value - x.low) / (x.high - x.low)));
  const top = (value: number): number => EDGE.top + (height - EDGE.top - EDGE.bottom) * (1 - Math.min(1, Math.max(0, (value - y.low) / (y.high - y.low))));

  function shade(context: CanvasRenderingContext2D): void {
    const { grid, grid_size: size } = report.map;
    if (!grid || !size || across.value !== PLANE || up.value !== PLANE) return;
    const w = (width - EDGE.left - EDGE.right) / size, t = (height - EDGE.top - EDGE.bottom) / size;
    const shades = [colour('level-0'), colour('level-1'), colour('level-2'), colour('level-3')];
    const at = (i: number, k: number): number => Math.log(grid[Math.min(size - 1, Math.max(0, i)) * size + Math.min(size - 1, Math.max(0, k))]! + 1e-4);
    const between = (i: number, k: number): number => {
      const a = Math.floor(i), b = Math.floor(k), down = i - a, right = k - b;
      return (1 - down) * ((1 - right) * at(a, b) + right * at(a, b + 1)) + down * ((1 - right) * at(a + 1, b) + right * at(a + 1, b + 1));
    };
    for (let i = 0; i < size * FINER; i++)
      for (let k = 0; k < size * FINER; k++) {
        const p = Math.exp(between((i + 0.5) / FINER - 0.5, (k + 0.5) / FINER - 0.5));
        context.fillStyle = shades[LEVELS.filter((level) => p < level).length]!;
        context.fillRect(EDGE.left + (k * w) / FINER, EDGE.top + (size - (i + 1) / FINER) * t, w / FINER + 0.7, t / FINER + 0.7);
      }
  }

  function frame(context: CanvasRenderingContext2D): void {
    context.strokeStyle = colour('rule');
    context.fillStyle = colour('ink');
    context.font = '12px system-ui, sans-serif';
    context.strokeRect(EDGE.left, EDGE.top, width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom);
    for (let i = 0; i <= 4; i++) {
      const a = x.low + ((x.high - x.low) * i) / 4, b = y.low + ((y.high - y.low) * i) / 4;
      context.textAlign = i === 4 ? 'right' : 'center';
      context.fillText(x.text(a), left(a), height - EDGE.bottom + 15);
      context.textAlign = 'right';
      context.fillText(y.text(b), EDGE.left - 5, top(b) + 4);
    }
    context.textAlign = 'center';
    context.fillText(x.label.slice(0, 60), (EDGE.left + width) / 2, height - 6);
    context.save();
    context.translate(11, (height - EDGE.bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(y.label.slice(0, 60), 0, 0);
    context.restore();
  }

  /** Triangles stand out, rings are listed, dots are others; a cross was dismissed. */
  function mark(context: CanvasRenderingContext2D, i: number): void {
    const a = left(x.values[i]!), b = top(y.values[i]!), given = i < report.findings.length ? answers.get(rows[i]!.row) : undefined;
    context.beginPath();
    if (i >= report.findings.length) {
      context.fillStyle = colour('other');
      context.arc(a, b, 1.6, 0, 7);
      context.fill();
    } else if (isFlagged(i)) {
      context.fillStyle = given === 0 ? colour('other') : colour('alert');
      context.moveTo(a, b - 6);
      context.lineTo(a + 5.5, b + 4);
      context.lineTo(a - 5.5, b + 4);
      context.closePath();
      context.fill();
      context.strokeStyle = colour('paper');
      context.lineWidth = 1;
      context.stroke();
    } else {
      context.strokeStyle = colour('alert');
      context.lineWidth = 1.5;
      context.arc(a, b, 3, 0, 7);
      context.stroke();
    }
  }

  function ring(context: CanvasRenderingContext2D, place: number | null, radius: number): void {
    if (place === null || place >= rows.length) return;
    context.strokeStyle = colour('ink');
    context.lineWidth = 2;
    context.beginPath();
    context.arc(left(x.values[place]!), top(y.values[place]!), radius, 0, 7);
    context.stroke();
  }

  function redraw(): void {
    x = axisOf(across.value, 'x');
    y = axisOf(up.value, 'y');
    const ratio = Math.max(1, devicePixelRatio || 1);
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    if (width === 0) return;
    rowsDrawn.width = width * ratio;
    rowsDrawn.height = height * ratio;
    const context = rowsDrawn.getContext('2d')!;
    context.scale(ratio, ratio);
    context.fillStyle = colour('paper');
    context.fillRect(0, 0, width, height);
    shade(context);
    frame(context);
    for (let i = rows.length - 1; i >= 0; i--) if (Number.isFinite(x.values[i]!) && Number.isFinite(y.values[i]!)) mark(context, i);
    showRings();
  }

  /** What changes with the mouse is drawn over what does not. */
  function showRings(): void {
    if (width === 0) return;
    const ratio = rowsDrawn.width / width;
    canvas.width = rowsDrawn.width;
    canvas.height = rowsDrawn.height;
    const context = canvas.getContext('2d')!;
    context.drawImage(rowsDrawn, 0, 0);
    context.scale(ratio, ratio);
    ring(context, hovered, 9);
    ring(context, chosen, 11);
  }

  function nearest(event: MouseEvent): number | null {
    const box = canvas.getBoundingClientRect(), a = event.clientX - box.left, b = event.clientY - box.top;
    let best: number | null = null, least = 14 * 14;
    for (let i = 0; i < rows.length; i++) {
      const d = (left(x.values[i]!) - a) ** 2 + (top(y.values[i]!) - b) ** 2;
      if (d < least) (least = d), (best = i);
    }
    return best;
  }

  function say(place: number | null): void {
    if (place === null) return;
    const row = rows[place]!, ids = report.table_columns.map((column, k) => (column.id ? textOf(row.cells[k]!) : '')).filter(Boolean).join(', ');
    const reason = report.findings[place]?.reasons[0]?.text;
    tip.textContent = `Row ${count(row.row)}${ids ? ` (${ids.slice(0, 60)})` : ''}: rank ${count(row.rank)}, p-value ${digits(row.p_value, 3)}${reason ? `; ${reason}` : ''}`;
  }

  canvas.addEventListener('mousemove', (event) => {
    const place = nearest(event);
    say(place);
    hover(place !== null && place < report.findings.length ? place : null);
  });
  canvas.addEventListener('mouseleave', () => hover(null));
  canvas.addEventListener('click', (event) => {
    const place = nearest(event);
    if (place !== null && place < report.findings.length) choose(place);
  });
  canvas.addEventListener('keydown', (event) => {
    const last = report.findings.length - 1, step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter' && hovered !== null) {
      choose(hovered);
      document.querySelector<HTMLElement>(`#rows tr[data-place="${hovered}"] button`)?.focus();
    } else if (step !== 0) {
      const place = Math.min(last, Math.max(0, (hovered ?? -1) + step));
      hover(place);
      say(place);
    } else return;
    event.preventDefault();
  });
  on('hovered', showRings);
  on('chosen', showRings);
  on('answered', redraw);
  onTheme(redraw);
  new ResizeObserver(() => redraw()).observe(canvas);
  addEventListener('beforeprint', redraw);
  const cutWords = report.map.features <= 3 ? 'shaded by the p-value at each point' : 'shaded by the p-value of a row on this plane; real rows lie off the plane in other directions';
  return section(
    'map',
    'Map',
    h('form', { class: 'tools', submit: (event: Event) => event.preventDefault() }, h('label', { for: 'map-x' }, 'Across ', across), h('label', { for: 'map-y' }, 'Up ', up)),
    canvas,
    tip,
    h('ul', { class: 'legend' }, h('li', {}, h('span', { class: 'triangle' }), 'stands out'), h('li', {}, h('span', { class: 'hollow' }), 'listed'), h('li', {}, h('span', { class: 'dot' }), 'others, drawn at random'), h('li', {}, ...[0, 1, 2, 3].map((i) => h('span', { class: `key key-bars c-level-${i}` })), 'p above 0.5, to 0.1, to 0.01, below')),
    h('p', { class: 'said', id: 'map-said' }, `The plane of largest variance of the usual rows, ${cutWords}. Rows beyond its border are drawn at the border. The ranking above explains the marks.`),
  );
}
