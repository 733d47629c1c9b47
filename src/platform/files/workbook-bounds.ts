import type { InputFault } from '#kernel/errors.ts';
import { type Problem, problem, wordsOf } from '#kernel/problem.ts';

/** A reason to reject a workbook, about the file or the named sheet. */
export class WorkbookFault extends Error {
  readonly fault: InputFault;

  constructor(field: 'file' | 'sheet', problem: Problem) {
    super(wordsOf(problem, 'zh'));
    this.fault = { field, problem };
  }
}

/** 10,000 rows of 100 columns and a reserve; counts the cells of all sheets, and the area up to the farthest cell of a sheet. */
const MAX_CELLS = 1_200_000;
/** Counted to the last row with content. */
const MAX_ROWS = 200_000;
/** Rows that are only formatted: some sheets format every row up to the last possible one. */
const MAX_EMPTY_ROWS = 4 * 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_SHARED_TEXTS = 2_000_000;
/** Longest number format, characters; spreadsheets allow 255. */
const MAX_FORMAT_LENGTH = 1_000;
/** Total text of a sheet, characters; a cell may repeat a text that the file stores only once. */
const MAX_TEXT_LENGTH = 32 * 1024 * 1024;

const SLASH = 0x2f;
const TAG = /<(?:[\w.-]+:)?(row|c)(?=[\s/>])((?:[^"'<>]|"[^"]*"|'[^']*')*)>/y;
/** Tag names that merely begin like those of rows and cells. */
const OTHER_TAG = /<(?!(?:[\w.-]+:)?(?:row|c)(?![\w.:-]))/y;
const PLACE = /(?:^|[\s:"'])r\s*=\s*/g;
/** The row number; for a cell also the column letters. */
const ROW_PLACE = /(["'])(\d{1,7})\1/y;
const CELL_PLACE = /(["'])(?=[A-Z]{1,3}(\d{1,7})\1)([A-Z]+)/y;
const NO_CONTENT = /\s*<\/(?:[\w.-]+:)?c\s*>/y;
const FORMAT = /formatCode\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const SHARED_TEXT = /<(?:[\w.-]+:)?si[\s/>]/g;

interface Extent {
  /** Counts of elements in the file. */
  rows: number;
  cells: number;
  /** Farthest row and column with content. */
  lastRow: number;
  lastColumn: number;
}

/**
 * Rejects a workbook that would expand far beyond its file size.
 *
 * Why:    the reader allocates every row and column up to the farthest, and a single cell may claim to be in row 99,999,999
 * Errors: WorkbookFault
 */
export function requireBounded(parts: Readonly<Record<string, Uint8Array>>): void {
  let cells = 0;
  let rows = 0;
  let texts = 0;
  for (const part of Object.values(parts)) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    if (bytes.includes('sheetData')) {
      const extent = extentOf(bytes.toString('latin1'));
      requireRoom(extent);
      cells += extent.cells;
      rows += extent.rows;
    }
    if (bytes.includes('formatCode')) requireShortFormats(bytes.toString('latin1'));
    if (bytes.includes('si')) texts += count(bytes.toString('latin1'), SHARED_TEXT);
  }
  if (cells > MAX_CELLS) throw tooManyCells();
  if (rows > MAX_EMPTY_ROWS) throw new WorkbookFault('file', problem('workbookRows', { max: MAX_EMPTY_ROWS }));
  if (texts > MAX_SHARED_TEXTS) throw new WorkbookFault('file', problem('workbookTexts', { max: MAX_SHARED_TEXTS }));
}

function requireRoom({ lastRow, lastColumn }: Extent): void {
  if (lastRow > MAX_ROWS) throw new WorkbookFault('file', problem('sheetRows', { last: lastRow, max: MAX_ROWS }));
  if (lastColumn > MAX_COLUMNS || lastRow * lastColumn > MAX_CELLS) throw tooManyCells();
}

/** Visits each tag once: an unterminated tag rejects the file, so nothing is scanned twice. */
function extentOf(sheet: string): Extent {
  const extent: Extent = { rows: 0, cells: 0, lastRow: 0, lastColumn: 0 };
  for (let at = sheet.indexOf('<'); at >= 0; at = sheet.indexOf('<', at + 1)) {
    if (sheet.charCodeAt(at + 1) === SLASH) continue;
    OTHER_TAG.lastIndex = at;
    if (OTHER_TAG.test(sheet)) continue;
    TAG.lastIndex = at;
    const [whole = '', tag, attributes = ''] = TAG.exec(sheet) ?? [];
    if (whole === '') throw damaged();
    if (tag === 'row') takeRow(extent, attributes);
    else takeCell(extent, attributes, hasContent(sheet, at + whole.length, attributes));
  }
  return extent;
}

function takeRow(extent: Extent, attributes: string): void {
  extent.rows = Math.max(extent.rows + 1, ...placesIn(attributes, ROW_PLACE).map(({ row }) => row));
}

function takeCell(extent: Extent, attributes: string, isFilled: boolean): void {
  extent.cells += 1;
  if (extent.cells > MAX_CELLS) throw tooManyCells();
  for (const { row, column } of placesIn(attributes, CELL_PLACE)) {
    extent.rows = Math.max(extent.rows, row);
    if (isFilled) {
      extent.lastRow = Math.max(extent.lastRow, row, extent.rows);
      extent.lastColumn = Math.max(extent.lastColumn, column);
    }
  }
}

/** Reads every `r` attribute of a tag, since readers differ in which one they use; other notations do not occur in spreadsheets. */
function placesIn(attributes: string, form: RegExp): { row: number; column: number }[] {
  const places = [];
  PLACE.lastIndex = 0;
  while (PLACE.test(attributes)) {
    form.lastIndex = PLACE.lastIndex;
    const [, , row = '', column = ''] = form.exec(attributes) ?? [];
    if (row === '') throw damaged();
    places.push({ row: Number(row), column: columnOf(column) });
  }
  return places;
}

function columnOf(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at++) column = column * 26 + letters.charCodeAt(at) - 64;
  return column;
}

function hasContent(sheet: string, end: number, attributes: string): boolean {
  NO_CONTENT.lastIndex = end;
  return !attributes.endsWith('/') && !NO_CONTENT.test(sheet);
}

/** The detection of date formats rescans the format at each bracket, so long formats would be slow. */
function requireShortFormats(styles: string): void {
  for (const [, double = '', single = ''] of styles.matchAll(FORMAT)) {
    if (double.length + single.length > MAX_FORMAT_LENGTH) throw damaged();
  }
}

function count(text: string, pattern: RegExp): number {
  let sum = 0;
  for (const _ of text.matchAll(pattern)) sum += 1;
  return sum;
}

/** Counts the characters of a sheet while cells become texts. */
export function textBudget(): (text: string) => string {
  let left = MAX_TEXT_LENGTH;
  return text => {
    left -= text.length;
    if (left < 0) throw new WorkbookFault('file', problem('sheetTexts'));
    return text;
  };
}

function tooManyCells(): WorkbookFault {
  return new WorkbookFault('file', problem('sheetCells', { max: MAX_CELLS }));
}

function damaged(): WorkbookFault {
  return new WorkbookFault('file', problem('damagedWorkbook'));
}
