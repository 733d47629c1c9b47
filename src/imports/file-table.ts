import { type CalloutError, invalidArgument } from '#kernel/errors.ts';
import { namedColumns } from './column-names.ts';
import { MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS, MAX_IMPORT_ROWS } from '#platform/files/read-table.ts';
import { isLikelyNumber } from './likely-numbers.ts';
import type { Region } from '#phone-numbers/dial-key.ts';

/** A non-empty row of a file; `row` counts all rows from 1, blank ones included. */
export interface FileRow {
  row: number;
  cells: readonly string[];
}

/** A data row; `rowNumber` counts the rows after the header from 1, blank ones included. */
export interface FileRecord extends FileRow {
  rowNumber: number;
}

export interface FileTable {
  /** Row that names the columns, the lower of a two-row header; 0 without a header. */
  headerRow: number;
  /** Names as in the header; empty where a column has none. */
  header: readonly string[];
  /** Names by which a mapping refers to the columns: as in the header, else `column_<n>`. */
  names: readonly string[];
  records: readonly FileRecord[];
}

/** How the header of a file is found. */
export interface HeaderSearch {
  /** 0 for a file without a header; when absent, the first rows decide. */
  headerRow?: number | undefined;
  /** Name of a column that the header must contain; when absent, recognised names decide. */
  mustHave?: string | undefined;
  region: Region;
}

/** Number of leading rows searched for the header, above which titles and notes may stand. */
export const MAX_HEADER_SEARCH_ROWS = 20;

/**
 * Finds the column names and data rows of a file, wherever its header is.
 *
 * Why:    lists have titles above the header, a header in two rows, or none at all; a row that contains a phone number is no header
 * Errors: INVALID_ARGUMENT when there are no rows, too many rows or columns, a name that is too long, or a repeated name
 * Source: D6.3
 */
export function fileTable(rows: readonly FileRow[], search: HeaderSearch): FileTable {
  if (rows.length === 0) throw invalidArgument('file', 'emptyFile');
  const { headerRow, header, above } = findHeader(rows, search);
  const data = rows.filter(({ row }) => row > above);
  if (data.length === 0) throw invalidArgument('file', 'onlyHeader');
  if (data.length > MAX_IMPORT_ROWS) throw invalidArgument('file', 'tooManyRows', { max: MAX_IMPORT_ROWS });
  const filled = filledHeader(header, data);
  requireHeader(filled);
  const records = data.map(({ row, cells }) => ({ row, rowNumber: row - above, cells }));
  return { headerRow, header: filled, names: namesOf(filled), records };
}

interface FoundHeader {
  headerRow: number;
  header: readonly string[];
  /** Last row before the data. */
  above: number;
}

function findHeader(rows: readonly FileRow[], search: HeaderSearch): FoundHeader {
  if (search.headerRow === 0) return { headerRow: 0, header: [], above: 0 };
  if (search.headerRow !== undefined) return headerAt(rows, givenRow(rows, search.headerRow), search.region);
  const top = rows.slice(0, MAX_HEADER_SEARCH_ROWS);
  const firstNumber = top.findIndex(row => hasNumber(row, search.region));
  const candidates = firstNumber < 0 ? top : top.slice(0, firstNumber);
  const named = candidates.findIndex(({ cells }) => isHeader(cells, search.mustHave));
  if (named >= 0) return headerAround(rows, named, search.region);
  const first = rows[Math.max(firstNumber, 0)] ?? { row: 1, cells: [] };
  if (firstNumber < 0) return { headerRow: first.row, header: first.cells, above: first.row };
  const before = candidates.at(-1);
  // A single text above several columns is a title.
  if (before === undefined || (filledCells(before) < 2 && filledCells(first) > 1))
    return { headerRow: 0, header: [], above: first.row - 1 };
  return headerAt(rows, candidates.length - 1, search.region);
}

function givenRow(rows: readonly FileRow[], headerRow: number): number {
  const index = rows.findIndex(({ row }) => row === headerRow);
  if (index < 0) throw invalidArgument('headerRow', 'noSuchRow', { row: headerRow });
  return index;
}

/** Checks only as many columns as are allowed; a wider row is refused later anyway. */
function isHeader(cells: readonly string[], mustHave: string | undefined): boolean {
  return mustHave === undefined ? namedColumns(cells.slice(0, MAX_COLUMNS)).phoneNumber >= 0 : cells.includes(mustHave);
}

/** Takes the header from a row that names columns, together with a second row of names below it. */
function headerAround(rows: readonly FileRow[], index: number, region: Region): FoundHeader {
  const [upper, lower] = rows.slice(index, index + 2);
  if (upper && lower && isPair(upper, lower, region) && rows.length > index + 2) return joined(upper, lower);
  return headerAt(rows, index, region);
}

/** Takes the header from a row, together with a row of group names above it. */
function headerAt(rows: readonly FileRow[], index: number, region: Region): FoundHeader {
  const lower = rows[index] ?? { row: 1, cells: [] };
  const upper = rows[index - 1];
  if (upper && filledCells(upper) > 1 && isPair(upper, lower, region)) return joined(upper, lower);
  return { headerRow: lower.row, header: lower.cells, above: lower.row };
}

/**
 * Whether two rows form one header: the lower names columns that the upper leaves open, or members of a group, whose name stands only above
 * its first member.
 */
function isPair(upper: FileRow, lower: FileRow, region: Region): boolean {
  if (lower.row !== upper.row + 1 || hasNumber(upper, region) || lower.cells.some(cell => /\d/.test(cell))) return false;
  const isOpen = (at: number) => (upper.cells[at] ?? '') === '' && (lower.cells[at] ?? '') !== '';
  const named = lower.cells.flatMap((cell, at) => (cell === '' ? [] : [at]));
  return named.some(isOpen) && named.every(at => isOpen(at) || isOpen(at + 1));
}

function joined(upper: FileRow, lower: FileRow): FoundHeader {
  const width = Math.max(lastFilled(upper.cells), lastFilled(lower.cells));
  if (width > MAX_COLUMNS) throw tooManyColumns();
  const group = (at: number) => upper.cells.slice(0, at + 1).findLast(cell => cell !== '') ?? '';
  const own = Array.from({ length: width }, (_, at) => lower.cells[at] || upper.cells[at] || '');
  const header = own.map((name, at) => (name !== '' && own.indexOf(name) !== own.lastIndexOf(name) ? `${group(at)}${name}` : name));
  return { headerRow: lower.row, header, above: lower.row };
}

function hasNumber({ cells }: FileRow, region: Region): boolean {
  return cells.slice(0, MAX_COLUMNS).some(cell => isLikelyNumber(cell, region));
}

function filledCells({ cells }: FileRow): number {
  return cells.filter(cell => cell !== '').length;
}

/** Header as wide as its names or, without a header row, as the data; empty columns behind them are dropped. */
function filledHeader(header: readonly string[], data: readonly FileRow[]): string[] {
  const named = header.findLastIndex(name => name !== '') + 1;
  const isOpen = header.length === 0;
  const width = data.reduce((most, { cells }) => Math.max(most, Math.min(lastFilled(cells), isOpen ? Infinity : header.length)), named);
  return Array.from({ length: width }, (_, index) => header[index] ?? '');
}

function lastFilled(cells: readonly string[]): number {
  return cells.findLastIndex(cell => cell !== '') + 1;
}

function requireHeader(header: readonly string[]): void {
  if (header.length > MAX_COLUMNS) throw tooManyColumns();
  const long = header.find(name => name.length > MAX_COLUMN_NAME_LENGTH);
  if (long !== undefined) throw invalidArgument('file', 'longColumnName', { name: long.slice(0, 20), max: MAX_COLUMN_NAME_LENGTH });
  requireUnique(header.filter(name => name !== ''));
}

function tooManyColumns(): CalloutError {
  return invalidArgument('file', 'tooManyColumns', { max: MAX_COLUMNS });
}

export function requireUnique(names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalidArgument('file', 'repeatedColumn', { name: repeated });
}

/** Names the third column `column_3` when it has no name, or `column_3_` when another column has that name. */
function namesOf(header: readonly string[]): string[] {
  return header.map((given, index) => given || freeName(header, `column_${index + 1}`));
}

function freeName(taken: readonly string[], wanted: string): string {
  let name = wanted;
  while (taken.includes(name)) name += '_';
  return name;
}
