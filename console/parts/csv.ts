/** What begins a formula in a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;

type Cell = string | number | null | undefined;

/** As RFC 4180 has it; a text that a spreadsheet would compute is kept a text. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map(row => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Gives the rows to the browser as a file; the mark in front tells spreadsheets that it is UTF-8. */
export function downloadCsv(name: string, rows: readonly (readonly Cell[])[]): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', csvOf(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
