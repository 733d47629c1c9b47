import { offsetMsAt } from '#kernel/calendar.ts';
import type { JsonValue } from '#kernel/json.ts';
import { csvLine } from '../csv.ts';
import type { CellType, Table, TableFormat, TableRow } from './table-format.ts';

/** Marks the text as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\ufeff';

/** Comma-separated values by RFC 4180, for spreadsheets: with a byte order mark, and texts that they would evaluate neutralised. */
export const csvFormat: TableFormat = {
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  isForPeople: true,
  rowsAtOnce: 1_000,
  open: table => ({
    header: () => BYTE_ORDER_MARK + csvLine(table.columns.map(({ title }) => title)),
    rows: rows => rows.map(row => csvLine(row.map((value, place) => csvCell(value, table, place)))).join(''),
    end: () => '',
    save: () => null,
  }),
};

function csvCell(value: JsonValue, { columns, zone }: Table, place: number): string | number | null {
  return typeof value === 'number' && columns[place]?.type === 'instant' ? localText(value, zone) : plainCell(value);
}

/** A value that is no instant; structured ones as JSON. */
export function plainCell(value: JsonValue): string | number | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}

/** `2026-10-01 09:00:00` in the zone, a form that spreadsheets recognise as a time. */
export function localText(at: number, zone: string): string {
  return new Date(at + offsetMsAt(zone, at)).toISOString().slice(0, 19).replace('T', ' ');
}

/** A JSON object a line, for programs; instants in ISO 8601. A single column without a key is the object. */
export const ndjsonFormat: TableFormat = {
  extension: 'ndjson',
  mediaType: 'application/x-ndjson; charset=utf-8',
  isForPeople: false,
  rowsAtOnce: 1_000,
  open: ({ columns }) => ({
    header: () => '',
    rows: rows => rows.map(row => `${JSON.stringify(isWhole(columns) ? row[0] : objectOf(columns, row))}\n`).join(''),
    end: () => '',
    save: () => null,
  }),
};

function isWhole(columns: Table['columns']): boolean {
  return columns.length === 1 && columns[0]?.key === '';
}

function objectOf(columns: Table['columns'], row: TableRow): Record<string, JsonValue> {
  return Object.fromEntries(columns.map(({ key, type }, place) => [key, dataValue(row[place] ?? null, type)]));
}

function dataValue(value: JsonValue, type: CellType): JsonValue {
  return type === 'instant' && typeof value === 'number' ? new Date(value).toISOString() : value;
}
