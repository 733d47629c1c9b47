/** What begins a formula in a spreadsheet, full-width signs too: some read them as the others. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const BYTE_ORDER_MARK = '\uFEFF';

type Cell = string | number | null | undefined;

/** As RFC 4180 has it; cells as they are. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map(cells => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/** Gives the rows to the browser as a file that people open: no text is computed, and the mark in front tells spreadsheets that it is UTF-8. */
export function downloadCsv(name: string, rows: readonly (readonly Cell[])[]): void {
  const safe = rows.map(cells => cells.map(cell => (typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell)));
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, csvOf(safe)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}

function quoted(cell: Cell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
