import type { Caller } from '../access/caller.ts';
import { recogniseColumns } from './column-mapping.ts';
import type { ImportQueue } from './import-queue.ts';
import type { FileRecord } from './read-records.ts';
import { readEveryRow, type ReadTableDeps, type SentFile } from './read-table.ts';

/** A number of a list, as the file has it. */
export interface ListedNumber {
  /** In the file, from 1. */
  rowNumber: number;
  phoneNumber: string;
  /** What stands beside it; empty when nothing does. */
  reason: string;
}

export interface ReadNumbersDeps extends ReadTableDeps {
  importQueue: ImportQueue;
}

/**
 * The numbers of a list with what stands beside them, read as an import of contacts reads files; nothing is judged or written.
 *
 * Why:    lists come with a header and without: a first row without a digit is one, and names the columns as far as it is known
 * Errors: INVALID_ARGUMENT when the file cannot be read; RATE_LIMITED
 * Source: D6.3, D6.4
 */
export function readNumbers(deps: ReadNumbersDeps, caller: Caller, file: SentFile): Promise<ListedNumber[]> {
  return deps.importQueue.inTurn(caller, async () => {
    const [first, ...others] = await readEveryRow(deps, file);
    if (first === undefined) return [];
    const isHeader = !first.cells.some(cell => /\d/.test(cell));
    const plan = isHeader ? recogniseColumns(first.cells) : null;
    const numberAt = Math.max(0, plan?.phoneNumber ?? 0);
    return (isHeader ? others : [first, ...others]).flatMap(row => numberOf(row, numberAt));
  });
}

function numberOf({ rowNumber, cells }: FileRecord, numberAt: number): ListedNumber[] {
  const phoneNumber = cells[numberAt] ?? '';
  const beside = cells.filter((cell, index) => index !== numberAt && cell !== '');
  return phoneNumber === '' ? [] : [{ rowNumber, phoneNumber, reason: beside.join(' ') }];
}
