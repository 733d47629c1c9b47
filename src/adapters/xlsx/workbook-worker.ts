import { parentPort, workerData } from 'node:worker_threads';
import { unzipSync, zipSync } from 'fflate';
import readWorkbook, { readSheet, SheetNotFoundError } from 'read-excel-file/universal';
import { requireBounded, textBudget, WorkbookFault } from './workbook-bounds.ts';

export interface WorkbookQuestion {
  bytes: Uint8Array;
  /** Whether the names of all sheets are wanted too: every sheet is read then. */
  wantsSheets: boolean;
  /** Name of a sheet; null: the first. */
  sheet: string | null;
}

export type WorkbookAnswer =
  | { kind: 'rows'; rows: string[][]; sheets: string[] }
  /** `fault` Chinese. */
  | { kind: 'fault'; field: 'file' | 'sheet'; fault: string };

const MAX_ENTRIES = 1_000;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** Of one entry above `RATIO_COUNTS_FROM`: texts of a sheet pack 5 to 50 times. */
const MAX_RATIO = 250;
const RATIO_COUNTS_FROM = 1024 * 1024;

/**
 * What may be read of the archive, unpacked within bounds and packed anew without compression.
 *
 * Why: the reader of sheets would unpack whatever the archive holds; here no entry gets more room than it says that it needs
 */
function boundedArchive(bytes: Uint8Array): ArrayBuffer {
  let entries = 0;
  let unpacked = 0;
  const parts = unzipSync(bytes, {
    filter({ name, size, originalSize }) {
      entries += 1;
      if (entries > MAX_ENTRIES) throw new WorkbookFault('file', '工作簿内的文件过多');
      if (!name.endsWith('.xml') && !name.endsWith('.rels')) return false;
      unpacked += originalSize;
      const isBomb = originalSize > RATIO_COUNTS_FROM && originalSize > size * MAX_RATIO;
      if (isBomb || unpacked > MAX_UNPACKED_BYTES) throw new WorkbookFault('file', '工作簿解压后过大');
      return true;
    },
  });
  if (parts['xl/workbook.xml'] === undefined) throw new WorkbookFault('file', '不是 Excel 工作簿（.xlsx），请上传 CSV、TSV 或 XLSX');
  requireBounded(parts);
  return Uint8Array.from(zipSync(parts, { level: 0 })).buffer;
}

const TEXTS = { parseNumber: (digits: string): FileNumber => ({ digits }) };

async function read({ bytes, sheet, wantsSheets }: WorkbookQuestion): Promise<WorkbookAnswer> {
  try {
    const archive = boundedArchive(bytes);
    if (!wantsSheets) return { kind: 'rows', rows: textsOf(await readSheet<FileNumber>(archive, sheet ?? 1, TEXTS)), sheets: [] };
    const all = await readWorkbook<FileNumber>(archive, TEXTS);
    const chosen = sheet === null ? all[0] : all.find(each => each.sheet === sheet);
    if (!chosen) throw new WorkbookFault('sheet', missing(sheet));
    return { kind: 'rows', rows: textsOf(chosen.data), sheets: all.map(each => each.sheet) };
  } catch (error) {
    if (error instanceof WorkbookFault) return { kind: 'fault', field: error.field, fault: error.message };
    if (error instanceof SheetNotFoundError) return { kind: 'fault', field: 'sheet', fault: missing(sheet) };
    return { kind: 'fault', field: 'file', fault: '工作簿已损坏或被加密，请用表格软件另存后再上传' };
  }
}

function missing(sheet: string | null): string {
  return `工作簿中没有名为「${sheet ?? ''}」的工作表`;
}

function textsOf(rows: readonly (readonly unknown[])[]): string[][] {
  const budgeted = textBudget();
  return rows.map(row => row.map(cell => budgeted(textOf(cell as FileCell))));
}

/** A number as the file writes it. */
interface FileNumber {
  digits: string;
}

/** The package's types name the class of dates where they mean a date. */
type FileCell = string | FileNumber | boolean | Date | null;

/** A cell as a person reads it; whole numbers without an exponent, so that a number of eleven digits stays one. */
function textOf(cell: FileCell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  if (cell instanceof Date) return dateText(cell.toISOString());
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return Number.isSafeInteger(Number(cell.digits)) ? String(Number(cell.digits)) : cell.digits;
}

function dateText(iso: string): string {
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}

// A port of a thread, no window: it has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(await read(workerData as WorkbookQuestion));
