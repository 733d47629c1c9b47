import { neutralized } from './spreadsheet-text.ts';

type Cell = string | number | null;

/** Formats one line by RFC 4180; a text that a spreadsheet would evaluate is neutralised. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(textOf).join(',')}\r\n`;
}

function textOf(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const safe = neutralized(cell ?? '');
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
