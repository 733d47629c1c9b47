import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { type Clock, sleep } from '#kernel/clock.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { MAX_FILE_RECORDS, MAX_IMPORT_ROWS, PARSE_CHUNK_LENGTH } from './import-limits.ts';
import type { Separator } from './sniff-separator.ts';

/** One data row; `rowNumber` counts the file's rows after the header from 1, blank ones included. */
export interface FileRecord {
  rowNumber: number;
  cells: readonly string[];
}

export interface FileTable {
  header: readonly string[];
  records: readonly FileRecord[];
}

const STRICT = { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, skip_empty_lines: false, trim: true };
/** A quote inside a cell is text: people write 他说"好", spreadsheets write ="139…". The parser does not trim behind a quote then. */
const LENIENT = { ...STRICT, trim: false, ltrim: true, relax_quotes: true };

/**
 * Header and rows of a CSV text, blank rows left out.
 *
 * Why:    parsing gives way to other work between pieces, so live calls are not held up by an upload
 * Errors: INVALID_ARGUMENT when empty, too long, or with a quote that is not closed
 * Source: OCS 4.7 rule 4
 */
export async function readRecords(clock: Clock, text: string, separator: Separator): Promise<FileTable> {
  const read = (options: typeof STRICT) => parseRecords(clock, text, { ...options, delimiter: separator });
  try {
    return await read(STRICT).catch((error: unknown) =>
      isUnclosed(error) || !(error instanceof CsvError) ? Promise.reject(error) : read(LENIENT),
    );
  } catch (error) {
    throw error instanceof CsvError ? malformed(error) : error;
  }
}

async function parseRecords(clock: Clock, text: string, options: typeof STRICT & { delimiter: string }): Promise<FileTable> {
  const reader = new TableReader();
  await pipeline(Readable.from(pieces(clock, text), { objectMode: true }), parse(options), async (records: AsyncIterable<string[]>) => {
    for await (const cells of records) reader.take(cells.map(cell => cell.trim()));
  });
  return reader.table();
}

/** Header and rows of a sheet, blank rows left out. Errors: INVALID_ARGUMENT when empty or too long */
export function tableOf(rows: readonly string[][]): FileTable {
  const reader = new TableReader();
  for (const cells of rows) reader.take(cells.map(cell => cell.trim()));
  return reader.table();
}

function isUnclosed(error: unknown): boolean {
  return error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED';
}

async function* pieces(clock: Clock, text: string): AsyncGenerator<Buffer> {
  for (let start = 0; start < text.length; start += PARSE_CHUNK_LENGTH) {
    if (start > 0) await sleep(clock, 0);
    yield Buffer.from(text.slice(start, start + PARSE_CHUNK_LENGTH));
  }
}

class TableReader {
  private header: readonly string[] | null = null;
  private readonly records: FileRecord[] = [];
  private read = 0;
  private rowNumber = 0;

  take(cells: string[]): void {
    this.read += 1;
    if (this.read > MAX_FILE_RECORDS) throw invalidArgument('file', `空行过多，文件最多 ${MAX_FILE_RECORDS} 行（含空行）`);
    const blank = cells.every(cell => cell === '');
    if (this.header === null) {
      if (!blank) this.header = cells;
      return;
    }
    this.rowNumber += 1;
    if (blank) return;
    if (this.records.length === MAX_IMPORT_ROWS) throw invalidArgument('file', `最多 ${MAX_IMPORT_ROWS} 行数据`);
    this.records.push({ rowNumber: this.rowNumber, cells });
  }

  table(): FileTable {
    if (this.header === null) throw invalidArgument('file', '是空文件');
    if (this.records.length === 0) throw invalidArgument('file', '只有表头，没有数据行');
    return { header: this.header, records: this.records };
  }
}

function malformed(error: CsvError): CalloutError {
  const line: unknown = Reflect.get(error, 'lines');
  const fault = isUnclosed(error) ? '的引号没有闭合' : '不符合 CSV 格式';
  return new CalloutError('INVALID_ARGUMENT', `参数错误：file 第 ${String(line)} 行${fault}`, { field: 'file', cause: error });
}
