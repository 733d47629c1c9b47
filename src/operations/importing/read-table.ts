import type { Clock } from '#kernel/clock.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { decodeText } from './decode-text.ts';
import { isWorkbook, requireTable } from './file-kind.ts';
import { type FileRow, type FileTable, fileTable, type HeaderSearch } from './file-table.ts';
import { filledRows, readRecords } from './read-records.ts';
import { separatedText } from './sniff-separator.ts';

/** A file as it was sent. */
export interface SentFile {
  fileName: string;
  /** At most 5 MiB. */
  bytes: Uint8Array;
  /** Of a workbook; absent: the first that is not hidden. */
  sheet?: string | undefined;
  /** Whether hidden rows of a workbook are rows; they are left out when absent. */
  includesHidden?: boolean | undefined;
}

/** A sheet of a workbook, and what the workbook has besides. */
interface ReadSheet {
  rows: string[][];
  hiddenRows: number;
  sheets: readonly { name: string; isHidden: boolean }[];
}

export interface ReadTableDeps {
  clock: Clock;
  /** A sheet of an XLSX file as texts; null: the first that is not hidden. Errors: INVALID_ARGUMENT */
  readWorkbook: (bytes: Uint8Array, asked: { sheet: string | null; includesHidden: boolean }) => Promise<ReadSheet>;
}

/** What a file holds before anybody says what it means. */
export interface ReadFile extends Pick<ReadSheet, 'hiddenRows' | 'sheets'> {
  rows: FileRow[];
}

/** The rows of a CSV, TSV or XLSX file. Errors: INVALID_ARGUMENT when it cannot be read */
export async function readRows({ clock, readWorkbook }: ReadTableDeps, file: SentFile): Promise<ReadFile> {
  const { fileName, bytes, sheet = null, includesHidden = false } = file;
  if (bytes.length === 0) throw invalidArgument('file', '是空文件');
  if (isWorkbook(bytes)) {
    const { rows, ...workbook } = await readWorkbook(bytes, { sheet, includesHidden });
    return { ...workbook, rows: filledRows(rows) };
  }
  const whole = decodeText(bytes);
  requireTable(whole);
  const { separator, text } = separatedText(fileName, whole);
  return { rows: await readRecords(clock, text, separator), hiddenRows: 0, sheets: [] };
}

/** Names of columns and rows of such a file. Errors: INVALID_ARGUMENT when it cannot be read */
export async function readTable(deps: ReadTableDeps, file: SentFile, search: HeaderSearch): Promise<FileTable & ReadFile> {
  const read = await readRows(deps, file);
  return { ...read, ...fileTable(read.rows, search) };
}
