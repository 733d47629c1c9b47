/** Characters that begin a formula in a spreadsheet, including full-width ones, which some programs treat alike. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const BYTE_ORDER_MARK = '\uFEFF';

type Cell = string | number | null | undefined;

/** CSV of RFC 4180; the cells stay as they are. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map(cells => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/** Downloads the rows as a CSV file. No cell can start a formula, and the byte order mark marks the file as UTF-8 for spreadsheets. */
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
