import type { Caller } from '#kernel/caller.ts';
import { cleanNumber } from './clean-number.ts';
import { namedColumns } from './column-names.ts';
import { onlyLikely } from './column-mapping.ts';
import type { FileTable, HeaderSearch } from './file-table.ts';
import type { ImportQueue } from './import-queue.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { likelyColumns } from './likely-numbers.ts';
import { type Region, spelledAt } from '#phone-numbers/dial-key.ts';
import { restored } from '#platform/files/spreadsheet-text.ts';
import { type SampledColumn, sampledColumns } from './preview-file.ts';
import { readTable, type ReadTableDeps, type SentFile } from './read-table.ts';

/** A number of a list, as written in the file, or its key when the file is for another region. */
export interface ListedNumber {
  /** Row in the file, from 1. */
  rowNumber: number;
  phoneNumber: string;
  /** Content of the other cells of the row; empty when there is none. */
  reason: string;
}

export interface NumberList {
  /** Key of the column of numbers; null when it is ambiguous, in which case no number is read. */
  column: string | null;
  columns: SampledColumn[];
  numbers: ListedNumber[];
}

export interface ReadNumbersDeps extends ReadTableDeps {
  importQueue: ImportQueue;
  /** Region of the installation, by which the list's numbers are stored. */
  region: Region;
}

export interface ReadNumbersInput {
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
export function readNumbers(deps: ReadNumbersDeps, caller: Caller, { file, search, column }: ReadNumbersInput): Promise<NumberList> {
  return deps.importQueue.inTurn(caller, async () => {
    const table = await readTable(deps, file, search);
    const numberAt = column === undefined ? numberColumn(table, search.region) : columnNamed(table, column);
    return {
      column: table.names[numberAt] ?? null,
      columns: sampledColumns(table, search.region),
      numbers: numberAt < 0 ? [] : numbersOf(table, numberAt, number => spelledAt(deps.region, number, search.region)),
    };
  });
}

function columnNamed({ names }: FileTable, column: string): number {
  const index = names.indexOf(column);
  if (index < 0) throw invalidArgument('column', `文件中没有列「${column}」`);
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
