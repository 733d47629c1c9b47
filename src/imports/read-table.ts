import { problem } from '#kernel/problem.ts';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { type Clock, sleep } from '#kernel/clock.ts';
import { CalloutError, invalidArgument, invalidInput } from '#kernel/errors.ts';
import {
  decodeText,
  isWorkbook,
  MAX_FILE_RECORDS,
  MAX_IMPORT_ROWS,
  PARSE_CHUNK_LENGTH,
  PARSE_CHUNK_LINES,
  requireTable,
  separatedText,
  type Separator,
} from '#platform/files/read-table.ts';
import { type FileRow, fileTable, type FileTable, type HeaderSearch, MAX_HEADER_SEARCH_ROWS } from './file-table.ts';
import type { Platform } from '#platform/platform.ts';

const STRICT = { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, skip_empty_lines: false, trim: true };
/** Treats a quote inside a cell as text: users write 他说"好", spreadsheets write ="139…". The parser then does not trim behind a quote. */
const LENIENT = { ...STRICT, trim: false, ltrim: true, relax_quotes: true };

/**
 * Returns the non-empty rows of a CSV text.
 *
 * Why:    yields to other work between chunks, so that an upload does not delay live calls
 * Errors: INVALID_ARGUMENT when the text is too long or a quote is not closed
 * Source: OCS 4.7 rule 4
 */
export async function readRecords(clock: Clock, text: string, separator: Separator): Promise<FileRow[]> {
  return (await readCountedRecords(clock, text, separator)).rows;
}

/** The rows of a text, and how many it has with the empty ones. */
export interface CountedRecords {
  rows: FileRow[];
  records: number;
}

/** Like `readRecords`, for a part of a file in front of which `linesBefore` lines stand. */
export async function readCountedRecords(clock: Clock, text: string, separator: Separator, linesBefore = 0): Promise<CountedRecords> {
  const read = (options: typeof STRICT) => parseRecords(clock, text, { ...options, delimiter: separator });
  try {
    return await read(STRICT).catch((error: unknown) => {
      if (!(error instanceof CsvError)) throw error;
      const { openedAt } = walkQuotes(text, separator);
      if (openedAt !== null) throw unclosed(linesBefore + openedAt, error);
      return read(LENIENT);
    });
  } catch (error) {
    throw error instanceof CsvError ? malformed(error, linesBefore) : error;
  }
}

async function parseRecords(clock: Clock, text: string, options: typeof STRICT & { delimiter: string }): Promise<CountedRecords> {
  const reader = new RowReader();
  await pipeline(Readable.from(pieces(clock, text), { objectMode: true }), parse(options), async (records: AsyncIterable<string[]>) => {
    for await (const cells of records) reader.take(cells);
  });
  return { rows: reader.rows, records: reader.records };
}

/** Returns the non-empty rows of a sheet. Errors: INVALID_ARGUMENT when it is too long */
function filledRows(rows: readonly string[][]): FileRow[] {
  const reader = new RowReader();
  for (const cells of rows) reader.take(cells);
  return reader.rows;
}

async function* pieces(clock: Clock, text: string): AsyncGenerator<Buffer> {
  for (let start = 0; start < text.length; ) {
    if (start > 0) await sleep(clock, 0);
    const end = pieceEnd(text, start);
    yield Buffer.from(text.slice(start, end));
    start = end;
  }
}

const LINE_END = /\r\n|\n|\r/g;

/** End of a chunk by characters or lines, whichever comes first: a row costs as much as many characters. */
function pieceEnd(text: string, start: number): number {
  const farthest = Math.min(start + PARSE_CHUNK_LENGTH, text.length);
  LINE_END.lastIndex = start;
  for (let lines = 0; lines < PARSE_CHUNK_LINES; lines++) if (!LINE_END.test(text) || LINE_END.lastIndex >= farthest) return farthest;
  return LINE_END.lastIndex;
}

class RowReader {
  readonly rows: FileRow[] = [];
  #row = 0;

  get records(): number {
    return this.#row;
  }

  take(given: readonly string[]): void {
    this.#row += 1;
    if (this.#row > MAX_FILE_RECORDS) throw invalidArgument('file', 'tooManyBlankRows', { max: MAX_FILE_RECORDS });
    const cells = given.map(cell => cell.trim());
    if (cells.every(cell => cell === '')) return;
    if (this.rows.length === MAX_IMPORT_ROWS + MAX_HEADER_SEARCH_ROWS)
      throw invalidArgument('file', 'tooManyRows', { max: MAX_IMPORT_ROWS });
    this.rows.push({ row: this.#row, cells });
  }
}

function malformed(error: CsvError, linesBefore: number): CalloutError {
  const last: unknown = Reflect.get(error, 'lines');
  const line = typeof last === 'number' ? linesBefore + last : last;
  return invalidInput([{ field: 'file', problem: problem('noCsvLine', { line: String(line) }) }], error);
}

export function unclosed(line: number, cause?: CsvError): CalloutError {
  return invalidInput([{ field: 'file', problem: problem('openQuote', { line }) }], cause);
}

interface QuoteWalk {
  /** Line, from 1, of an opening quote that is never closed; null when there is none. */
  openedAt: number | null;
  /** Index behind the last line end outside quotes: what stands before it is whole rows. */
  rowsEnd: number;
}

/**
 * Walks through the quotes of a text.
 *
 * Why: a quote closes its cell when a separator or a line end follows; otherwise, on the line where the cell began, it is text. On a later line
 *      it shows that the cell has run into the following cells, and reading on would swallow rows
 */
export function walkQuotes(text: string, separator: Separator): QuoteWalk {
  let line = 1;
  let openedAt: number | null = null;
  let rowsEnd = 0;
  let isStart = true;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"' && openedAt !== null) {
      if (text[at + 1] === '"') at += 1;
      else if (line > openedAt && !closesAt(text, at + 1, separator)) return { openedAt, rowsEnd };
      else openedAt = null;
    } else if (char === '"' && isStart) openedAt = line;
    if (char === '\n' || (char === '\r' && text[at + 1] !== '\n')) {
      line += 1;
      if (openedAt === null) rowsEnd = at + 1;
    }
    isStart = char === separator || char === '\n' || char === '\r' || (isStart && char.trim() === '');
  }
  return { openedAt, rowsEnd };
}

function closesAt(text: string, from: number, separator: Separator): boolean {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at >= text.length || text[at] === separator || text[at] === '\n' || text[at] === '\r';
}

/** A file as it was uploaded. */
export interface SentFile {
  fileName: string;
  /** At most 5 MiB. */
  bytes: Uint8Array;
  /** Sheet of a workbook; when absent, the first one that is not hidden. */
  sheet?: string | undefined;
  /** Whether hidden rows of a workbook are read; false when absent. */
  includesHidden?: boolean | undefined;
}

/** One sheet of a workbook, with the list of all its sheets. */
interface ReadSheet {
  rows: string[][];
  hiddenRows: number;
  sheets: readonly { name: string; isHidden: boolean }[];
}

export interface SheetsPart {
  /** Reads a sheet of an XLSX file as texts; null means the first one that is not hidden. Errors: INVALID_ARGUMENT */
  readWorkbook: (bytes: Uint8Array, asked: { sheet: string | null; includesHidden: boolean }) => Promise<ReadSheet>;
}

/** Content of a file before its columns are interpreted. */
export interface ReadFile extends Pick<ReadSheet, 'hiddenRows' | 'sheets'> {
  rows: FileRow[];
}

/** Reads the rows of a CSV, TSV or XLSX file. Errors: INVALID_ARGUMENT when it cannot be read */
async function readRows({ clock, readWorkbook }: SheetsPart & Pick<Platform, 'clock'>, file: SentFile): Promise<ReadFile> {
  const { fileName, bytes, sheet = null, includesHidden = false } = file;
  if (bytes.length === 0) throw invalidArgument('file', 'emptyFile');
  if (isWorkbook(bytes)) {
    const { rows, ...workbook } = await readWorkbook(bytes, { sheet, includesHidden });
    return { ...workbook, rows: filledRows(rows) };
  }
  const whole = decodeText(bytes);
  requireTable(whole);
  const { separator, text } = separatedText(fileName, whole);
  return { rows: await readRecords(clock, text, separator), hiddenRows: 0, sheets: [] };
}

/** Reads the column names and rows of such a file. Errors: INVALID_ARGUMENT when it cannot be read */
export async function readTable(
  app: SheetsPart & Pick<Platform, 'clock'>,
  file: SentFile,
  search: HeaderSearch,
): Promise<FileTable & ReadFile> {
  const read = await readRows(app, file);
  return { ...read, ...fileTable(read.rows, search) };
}
