/** What a cell must not begin with where a spreadsheet would compute it. */
const FORMULA = /^[=+\-@\t\r]/;
const BYTE_ORDER_MARK = '\ufeff';

/** Rows as a CSV text that every spreadsheet reads; cells as they are. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map(cells => cells.map(quoted).join(',')).join('\r\n');
}

/** As `csvOf`, to be opened by people: no cell is computed, and Chinese is read as such. */
export function downloadableCsv(rows: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + csvOf(rows.map(cells => cells.map(cell => (FORMULA.test(cell) ? `'${cell}` : cell))));
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Gives a text to the browser's downloads. */
export function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** The address of a page that is not served securely makes no UUIDs by itself. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
