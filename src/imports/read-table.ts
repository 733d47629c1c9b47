import type { Clock } from '#kernel/clock.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { decodeText, isWorkbook, requireTable, separatedText } from '#platform/files/read-table.ts';
import { type FileRow, type FileTable, fileTable, type HeaderSearch } from './file-table.ts';
import { filledRows, readRecords } from './read-records.ts';

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

export interface ReadTableDeps {
  clock: Clock;
  /** Reads a sheet of an XLSX file as texts; null means the first one that is not hidden. Errors: INVALID_ARGUMENT */
  readWorkbook: (bytes: Uint8Array, asked: { sheet: string | null; includesHidden: boolean }) => Promise<ReadSheet>;
}

/** Content of a file before its columns are interpreted. */
export interface ReadFile extends Pick<ReadSheet, 'hiddenRows' | 'sheets'> {
  rows: FileRow[];
}

/** Reads the rows of a CSV, TSV or XLSX file. Errors: INVALID_ARGUMENT when it cannot be read */
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

/** Reads the column names and rows of such a file. Errors: INVALID_ARGUMENT when it cannot be read */
export async function readTable(deps: ReadTableDeps, file: SentFile, search: HeaderSearch): Promise<FileTable & ReadFile> {
  const read = await readRows(deps, file);
  return { ...read, ...fileTable(read.rows, search) };
}
