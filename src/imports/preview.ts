import { CONTACT_TEXT_NAMES, CONTACT_TEXTS } from '#contacts/contact.ts';
import { MAX_NUMBERS } from '#contacts/decisions/numbers.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { type Region, spelledAt } from '#phone-numbers/dial-key.ts';
import { restored } from '#platform/files/spreadsheet-text.ts';
import { cleanNumber } from './clean-number.ts';
import { onlyLikely, recogniseColumns } from './column-mapping.ts';
import { namedColumns } from './column-names.ts';
import type { ColumnPlan } from './column-plan.ts';
import { type FileTable, type HeaderSearch, MAX_HEADER_SEARCH_ROWS } from './file-table.ts';
import type { ImportQueuePart } from './import-file.ts';
import { likelyColumns } from './likely-numbers.ts';
import { rowNumbers } from './row-numbers.ts';
import { type ReadFile, readTable, type SentFile, type SheetsPart } from './read-table.ts';
import type { Platform } from '#platform/platform.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';

const TEXT_MEMBERS = CONTACT_TEXT_NAMES.map(name => CONTACT_TEXTS[name].column);
export const IMPORT_MEMBERS = [
  'phone_number',
  'other_number',
  ...TEXT_MEMBERS,
  'callback_at',
  'callback_note',
  'metadata',
  'variables',
  'ignored',
] as const;

/** A column of a file with samples, for the user who maps it. */
interface SampledColumn {
  /** Name by which a mapping refers to the column. */
  key: string;
  /** Empty when the header does not name the column. */
  name: string;
  /** Cells of the first rows, each cut to 200 characters. */
  samples: string[];
  /** Whether its cells are numbers of the region, with few exceptions. */
  looksLikeNumbers: boolean;
}

/** A column of a file before the import. */
interface PreviewColumn extends SampledColumn {
  /** How an import without a mapping uses the column. */
  member: (typeof IMPORT_MEMBERS)[number];
}

/** The numbers of one person. */
interface PreviewNumbers {
  /** Row in the file, from 1. */
  row: number;
  numbers: { phoneNumber: string; label: string; extension: string }[];
}

export interface FilePreview {
  /** Sheets of a workbook in order; empty for a text file. */
  sheets: string[];
  hiddenSheets: string[];
  /** Number of hidden rows, which are skipped. */
  hiddenRows: number;
  /** 0 when the file has no header. */
  headerRow: number;
  /** First rows, from which the user can choose the header. */
  topRows: { row: number; cells: string[] }[];
  columns: PreviewColumn[];
  /** Numbers of the first rows, as far as a row has several or an extension. */
  numbers: PreviewNumbers[];
  totalRows: number;
  /** Region by which its numbers were read. */
  region: Region;
}

const SAMPLE_ROWS = 5;
const MAX_SAMPLE_LENGTH = 200;
const TOP_CELLS = 12;

type PreviewApp = ImportQueuePart & SheetsPart & Pick<Platform, 'clock'>;

/**
 * Shows what an import would find in a file, before the columns are mapped. Validates and writes nothing.
 *
 * Errors: INVALID_ARGUMENT when the file cannot be read; RATE_LIMITED
 * Source: D6.3
 */
export function previewFile(
  app: PreviewApp,
  caller: Caller,
  { file, search }: { file: SentFile; search: HeaderSearch },
): Promise<FilePreview> {
  return app.importQueue.inTurn(caller, async () => previewTable(await readTable(app, file, search), search.region));
}

/** Shows what an import without a mapping would find in a table. */
export function previewTable(table: FileTable & ReadFile, region: Region): FilePreview {
  const plan = recogniseColumns(table, region);
  return {
    ...sheetsOf(table),
    headerRow: table.headerRow,
    topRows: table.rows.slice(0, MAX_HEADER_SEARCH_ROWS).map(({ row, cells }) => ({ row, cells: cells.slice(0, TOP_CELLS).map(sample) })),
    columns: sampledColumns(table, region).map((column, index) => ({ ...column, member: memberOf(plan, index) })),
    numbers: previewNumbers(table, plan, region),
    totalRows: table.records.length,
    region,
  };
}

function previewNumbers(table: FileTable, plan: ColumnPlan, region: Region): PreviewNumbers[] {
  if (plan.phoneNumber < 0) return [];
  return table.records.slice(0, SAMPLE_ROWS).flatMap(record => {
    const numbers = rowNumbers(record, plan, table, region).slice(0, MAX_NUMBERS);
    const shown = numbers.map(({ phoneNumber, label, extension }) => ({ phoneNumber: sample(phoneNumber), label, extension }));
    return shown.length > 1 || shown.some(({ extension }) => extension !== '') ? [{ row: record.row, numbers: shown }] : [];
  });
}

/** Returns the columns of a table with the cells of their first rows. */
function sampledColumns({ names, header, records }: FileTable, region: Region): SampledColumn[] {
  const likely = likelyColumns(records, names.length, region);
  return names.map((key, index) => ({
    key,
    name: header[index] ?? '',
    samples: records.slice(0, SAMPLE_ROWS).map(({ cells }) => sample(cells[index] ?? '')),
    looksLikeNumbers: likely.includes(index),
  }));
}

function sample(cell: string): string {
  return cell.slice(0, MAX_SAMPLE_LENGTH).toWellFormed();
}

function sheetsOf({ sheets, hiddenRows }: ReadFile): Pick<FilePreview, 'sheets' | 'hiddenSheets' | 'hiddenRows'> {
  const hidden = sheets.filter(({ isHidden }) => isHidden);
  return { sheets: sheets.map(({ name }) => name), hiddenSheets: hidden.map(({ name }) => name), hiddenRows };
}

function memberOf(plan: ColumnPlan, index: number): PreviewColumn['member'] {
  if (index === plan.phoneNumber) return 'phone_number';
  if (plan.otherNumbers.includes(index)) return 'other_number';
  const text = CONTACT_TEXT_NAMES.find(name => plan[name] === index);
  if (text) return CONTACT_TEXTS[text].column;
  if (index === plan.callbackAt) return 'callback_at';
  if (index === plan.callbackNote) return 'callback_note';
  if (index === plan.variables) return 'variables';
  return plan.metadata.some(column => column.index === index) ? 'metadata' : 'ignored';
}

/** A number of a list, as written in the file, or its key when the file is for another region. */
interface ListedNumber {
  /** Row in the file, from 1. */
  rowNumber: number;
  phoneNumber: string;
  /** Content of the other cells of the row; empty when there is none. */
  reason: string;
}

interface NumberList {
  /** Key of the column of numbers; null when it is ambiguous, in which case no number is read. */
  column: string | null;
  columns: SampledColumn[];
  numbers: ListedNumber[];
}

interface ReadNumbersInput {
  file: SentFile;
  search: HeaderSearch;
  /** Key of the column of numbers; when absent, its name and content decide. */
  column?: string | undefined;
}

/**
 * Reads the numbers of a list with the other cells of their rows, by the rules of a contact import; validates and writes nothing.
 *
 * Why:    numbers from a wrong column block the wrong customers and leave the listed ones callable, so an ambiguous column is left to the user
 * Errors: INVALID_ARGUMENT when the file cannot be read or has no such column; RATE_LIMITED
 * Source: D8.7, D6.3, D6.4
 */
export function readNumbers(
  app: ImportQueuePart & SheetsPart & Pick<DiallingPlace, 'region'> & Pick<Platform, 'clock'>,
  caller: Caller,
  { file, search, column }: ReadNumbersInput,
): Promise<NumberList> {
  return app.importQueue.inTurn(caller, async () => {
    const table = await readTable(app, file, search);
    const numberAt = column === undefined ? numberColumn(table, search.region) : columnNamed(table, column);
    return {
      column: table.names[numberAt] ?? null,
      columns: sampledColumns(table, search.region),
      numbers: numberAt < 0 ? [] : numbersOf(table, numberAt, number => spelledAt(app.region, number, search.region)),
    };
  });
}

function columnNamed({ names }: FileTable, column: string): number {
  const index = names.indexOf(column);
  if (index < 0) throw invalidArgument('column', 'columnOutsideFile', { name: column });
  return index;
}

/**
 * Finds the column of numbers; -1 when it is ambiguous. A named column is accepted unless only other columns hold numbers; without a name,
 * the only column that holds numbers is taken.
 */
function numberColumn(table: FileTable, region: Region): number {
  const { phoneNumber: named } = namedColumns(table.header);
  if (named < 0) return onlyLikely(table, region);
  const likely = likelyColumns(table.records, table.names.length, region);
  return likely.length === 0 || likely.includes(named) ? named : -1;
}

function numbersOf({ records }: FileTable, numberAt: number, spelled: (number: string) => string): ListedNumber[] {
  return records.flatMap(({ row, cells }) => {
    const phoneNumber = cleanNumber(cells[numberAt] ?? '');
    const beside = cells.filter((cell, index) => index !== numberAt && cell !== '').map(restored);
    return phoneNumber === '' ? [] : [{ rowNumber: row, phoneNumber: spelled(phoneNumber), reason: beside.join(' ') }];
  });
}
