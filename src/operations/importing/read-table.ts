import type { Clock } from '#kernel/clock.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { decodeText } from './decode-text.ts';
import { isWorkbook } from './file-kind.ts';
import { type FileRecord, type FileTable, readRecords, tableOf } from './read-records.ts';
import { separatedText } from './sniff-separator.ts';

/** A file as it was sent. */
export interface SentFile {
  fileName: string;
  /** At most 5 MiB. */
  bytes: Uint8Array;
  /** Of a workbook; absent: the first. */
  sheet?: string | undefined;
}

export interface ReadTableDeps {
  clock: Clock;
  /** Rows of a sheet of an XLSX file as texts; null: the first sheet. Errors: INVALID_ARGUMENT */
  readWorkbook: (bytes: Uint8Array, sheet: string | null) => Promise<string[][]>;
}

/** Header and rows of a CSV, TSV or XLSX file. Errors: INVALID_ARGUMENT when it cannot be read */
export function readTable(deps: ReadTableDeps, file: SentFile): Promise<FileTable> {
  return readBehind([], deps, file);
}

/** Stands in front of a list whose first row may be a number. */
const MADE_HEADER = ['号码'];

/** Every row of such a file, its first one too; `rowNumber` counts from it. Errors: as `readTable` */
export async function readEveryRow(deps: ReadTableDeps, file: SentFile): Promise<readonly FileRecord[]> {
  return (await readBehind([MADE_HEADER], deps, file)).records;
}

async function readBehind(
  headers: readonly string[][],
  { clock, readWorkbook }: ReadTableDeps,
  { fileName, bytes, sheet }: SentFile,
): Promise<FileTable> {
  if (bytes.length === 0) throw invalidArgument('file', '是空文件');
  if (isWorkbook(bytes)) return tableOf([...headers, ...(await readWorkbook(bytes, sheet ?? null))]);
  const { separator, text } = separatedText(fileName, decodeText(bytes));
  return readRecords(clock, headers.map(cells => `${cells.join(separator)}\n`).join('') + text, separator);
}
