/** So many significant digits, without zeros at the end: 0.0263, 1374, 8.333e-5. */
export function digits(value: number | null | undefined, significant = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) {
    const decimals = Math.max(0, significant - 1 - Math.floor(Math.log10(size)));
    return String(Number(value.toFixed(Math.min(decimals, 12))));
  }
  return size < 1e-3 ? value.toExponential(significant - 1).replace(/\.?0*e/, 'e') : String(Number(value.toPrecision(significant)));
}

/** A p-value that may be too small for a number. */
export const chance = (p: number): string => (p === 0 ? '< 1e-300' : digits(p, 3));

/** A count with commas: 12,000. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** "1 row", "2 rows". */
export const plural = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? '' : 's'}`;

export const percent = (share: number | null, significant = 3): string =>
  share === null ? '–' : `${digits(100 * share, significant)} %`;

/** A sentence of the library, which begins small and ends without a full stop. */
export const sentence = (text: string): string =>
  text === '' ? '' : text[0]!.toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

export const day = (seconds: number): string => new Date(1000 * seconds).toISOString().slice(0, 10);
