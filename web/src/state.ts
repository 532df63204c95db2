// What the parts of the page share: the data, the row that is looked at, and the answers given.
import type { Finding, Report } from './data';

export const report: Report = JSON.parse(document.getElementById('data')!.textContent!) as Report;

export const isFlagged = (place: number): boolean => place < report.flagged;

/** 1: confirmed as an anomaly; 0: dismissed as normal. By row of the table. */
export const answers = new Map<number, 0 | 1>();

type Listener = () => void;
const listeners: Record<'chosen' | 'hovered' | 'answered', Listener[]> = { chosen: [], hovered: [], answered: [] };
export const on = (what: keyof typeof listeners, listener: Listener): void => void listeners[what].push(listener);
const tell = (what: keyof typeof listeners): void => listeners[what].forEach((listener) => listener());

/** Places in the list of findings. */
export let chosen: number | null = null;
export let hovered: number | null = null;

export function choose(place: number | null): void {
  chosen = place;
  tell('chosen');
}

export function hover(place: number | null): void {
  if (place === hovered) return;
  hovered = place;
  tell('hovered');
}

const memory = `anorank answers: ${report.provenance.files[0]?.sha256 ?? `${report.title} ${report.rows}`}`;

/** Answers outlive the page where the browser lets them. */
function remember(): void {
  try {
    localStorage.setItem(memory, JSON.stringify([...answers]));
  } catch {
    /* private windows, or storage switched off */
  }
}

export function recall(): void {
  try {
    const known = new Set(report.findings.map((finding) => finding.row));
    for (const [row, answer] of JSON.parse(localStorage.getItem(memory) ?? '[]') as [number, 0 | 1][])
      if (known.has(row) && (answer === 0 || answer === 1)) answers.set(row, answer);
  } catch {
    /* nothing to recall */
  }
}

export function answer(finding: Finding, value: 0 | 1 | null): void {
  if (value === null) answers.delete(finding.row);
  else answers.set(finding.row, value);
  remember();
  tell('answered');
}
