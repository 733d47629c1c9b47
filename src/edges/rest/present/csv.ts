/** What begins a formula in a spreadsheet, full-width signs too: some read them as the others. Source: D6.4 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

type Cell = string | number | null;

/** One line as RFC 4180 has it; a text that a spreadsheet would compute is kept a text. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(textOf).join(',')}\r\n`;
}

function textOf(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
