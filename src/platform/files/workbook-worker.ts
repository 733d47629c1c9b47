import type { InputFault } from '#kernel/errors.ts';
import { problem } from '#kernel/problem.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { strToU8, type Unzipped, unzipSync, zipSync } from 'fflate';
import { readSheet, SheetNotFoundError } from 'read-excel-file/universal';
import { textOfPart } from './markup.ts';
import { digitStylesOf } from './number-format.ts';
import { withoutHiddenRows, withShownDigits } from './shown-cells.ts';
import { sheetsOf } from './workbook-sheets.ts';
import { requireBounded, textBudget, WorkbookFault } from './workbook-bounds.ts';

export interface WorkbookQuestion {
  bytes: Uint8Array;
  /** Name of a sheet; null: the first visible one. */
  sheet: string | null;
  /** Whether hidden rows are read. */
  includesHidden: boolean;
}

export type WorkbookAnswer =
  | { kind: 'rows'; rows: string[][]; hiddenRows: number; sheets: { name: string; isHidden: boolean }[] }
  | { kind: 'fault'; fault: InputFault };

const MAX_ENTRIES = 1_000;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** Limit for entries above `RATIO_COUNTS_FROM`; sheets compress 5 to 50 times. */
const MAX_RATIO = 250;
const RATIO_COUNTS_FROM = 1024 * 1024;

/**
 * Unpacks the readable parts of the archive within limits.
 *
 * Why: the sheet reader would unpack everything in the archive; here no entry gets more memory than its declared size
 */
function boundedParts(bytes: Uint8Array): Unzipped {
  let entries = 0;
  let unpacked = 0;
  const parts = unzipSync(bytes, {
    filter({ name, size, originalSize }) {
      entries += 1;
      if (entries > MAX_ENTRIES) throw new WorkbookFault('file', problem('workbookParts'));
      if (!name.endsWith('.xml') && !name.endsWith('.rels')) return false;
      unpacked += originalSize;
      const isBomb = originalSize > RATIO_COUNTS_FROM && originalSize > size * MAX_RATIO;
      if (isBomb || unpacked > MAX_UNPACKED_BYTES) throw new WorkbookFault('file', problem('workbookUnpacked'));
      return true;
    },
  });
  if (parts['xl/workbook.xml'] === undefined) throw new WorkbookFault('file', problem('noWorkbook'));
  requireBounded(parts);
  return parts;
}

const TEXTS = { parseNumber: (digits: string): FileNumber => ({ digits }) };

async function read({ bytes, sheet, includesHidden }: WorkbookQuestion): Promise<WorkbookAnswer> {
  try {
    const parts = boundedParts(bytes);
    const sheets = sheetsOf(parts);
    const chosen = sheets.findIndex(({ name, isHidden }) => (sheet === null ? !isHidden : name === sheet));
    if (chosen < 0 && sheet !== null) throw missing(sheet);
    const at = Math.max(chosen, 0);
    const shown = asShown(parts, sheets[at]?.path ?? null, includesHidden);
    const archive = Uint8Array.from(zipSync(shown.parts, { level: 0 })).buffer;
    const rows = textsOf(await readSheet<FileNumber>(archive, at + 1, TEXTS));
    return { kind: 'rows', rows, hiddenRows: shown.hiddenRows, sheets: sheets.map(({ name, isHidden }) => ({ name, isHidden })) };
  } catch (error) {
    if (error instanceof WorkbookFault) return { kind: 'fault', fault: error.fault };
    if (error instanceof SheetNotFoundError) return { kind: 'fault', fault: missing(sheet).fault };
    return { kind: 'fault', fault: { field: 'file', problem: problem('unreadableWorkbook') } };
  }
}

/** The archive with one sheet as a user sees it: without hidden rows, and with digits that only the number format adds. */
function asShown(parts: Unzipped, path: string | null, includesHidden: boolean): { parts: Unzipped; hiddenRows: number } {
  const markup = path === null ? '' : textOfPart(parts, path);
  if (path === null || markup === '') return { parts, hiddenRows: 0 };
  const { sheet, hiddenRows } = includesHidden ? { sheet: markup, hiddenRows: 0 } : withoutHiddenRows(markup);
  const shown = withShownDigits(sheet, digitStylesOf(textOfPart(parts, 'xl/styles.xml')));
  return { parts: shown === markup ? parts : { ...parts, [path]: strToU8(shown) }, hiddenRows };
}

function missing(sheet: string | null): WorkbookFault {
  return new WorkbookFault('sheet', problem('noSuchSheet', { sheet: sheet ?? '' }));
}

function textsOf(rows: readonly (readonly unknown[])[]): string[][] {
  const budgeted = textBudget();
  return rows.map(row => row.map(cell => budgeted(textOf(cell as FileCell))));
}

/** A number with its digits as stored in the file. */
interface FileNumber {
  digits: string;
}

/** The package's types name the Date class where an instance is meant. */
type FileCell = string | FileNumber | boolean | Date | null;

/** Cell content as a user reads it; whole numbers without an exponent, so that long phone numbers stay intact. */
function textOf(cell: FileCell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  if (cell instanceof Date) return dateText(cell);
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return Number.isSafeInteger(Number(cell.digits)) ? String(Number(cell.digits)) : cell.digits;
}

const SECOND_MS = 1_000;
/** Epoch of the file's calendar: a time without a date. */
const NO_DAY = /^1899-12-3[01]T/;

/**
 * Formats a date, a time, or both.
 *
 * Why: a time is stored as an inexact fraction of a day: 09:30 may be a few ms early
 */
function dateText(date: Date): string {
  const iso = new Date(Math.round(date.getTime() / SECOND_MS) * SECOND_MS).toISOString();
  const [day = '', time = ''] = iso.slice(0, 19).split('T');
  if (NO_DAY.test(iso)) return time.replace(/:00$/, '');
  return time === '00:00:00' ? day : `${day} ${time}`;
}

// A worker's port is not a window: it has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(await read(workerData as WorkbookQuestion));
