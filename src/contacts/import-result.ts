import type { NewContact } from './contact.ts';

/** Most rejected rows listed in one response. Source: D6.5 */
const MAX_REPORTED_ERRORS = 1_000;

export interface ImportError {
  /** Counted from 1, the first data row. */
  rowNumber: number;
  phoneNumber: string;
  /** Chinese text. */
  reason: string;
  /** Set for rows of a file. */
  source?: RowSource | undefined;
}

/** Original content of a row. */
export interface RowSource {
  cells: readonly string[];
  /** Name of the faulty column; null when the whole row is at fault. */
  column: string | null;
}

/**
 * Shape:  totalRows = createdRows + duplicateRows + failedRows; skippedRows = duplicateRows + failedRows
 * Source: OCS 2.7
 */
export interface ImportResult {
  totalRows: number;
  createdRows: number;
  skippedRows: number;
  duplicateRows: number;
  failedRows: number;
  /** Failed and duplicate rows, sorted by row number, at most 1,000. */
  errors: ImportError[];
  /** Number of hidden rows of a workbook that were skipped; absent when there are none. */
  hiddenRows?: number | undefined;
}

export interface ImportRow {
  rowNumber: number;
  contact: NewContact;
  /** The callback that the row promises its contact; absent: none. `dueAt` UTC ms */
  promise?: { dueAt: number; note: string };
  /** Set for rows of a file; names the column of numbers. */
  source?: RowSource | undefined;
}

export interface DistinctRows {
  /** The first row of every number. */
  distinct: ImportRow[];
  /** Rows whose number an earlier row has. */
  repeated: ImportError[];
}

/** Removes repeated numbers within one import, so that each number is written once. Source: D6.1, D6.5 */
export function distinctRows(rows: readonly ImportRow[]): DistinctRows {
  const firstRow = new Map<string, number>();
  const result: DistinctRows = { distinct: [], repeated: [] };
  for (const row of rows) {
    const first = firstRow.get(row.contact.dialKey);
    if (first === undefined) {
      firstRow.set(row.contact.dialKey, row.rowNumber);
      result.distinct.push(row);
    } else {
      result.repeated.push(errorOf(row, `号码与第 ${first} 行重复`));
    }
  }
  return result;
}

/** Builds the result of an import from the dial keys that were new to the campaign. Source: OCS 2.7, D6.5 */
export function resultOfRows(rows: DistinctRows, failed: readonly ImportError[], createdKeys: ReadonlySet<string>): ImportResult {
  const known = rows.distinct.filter(({ contact }) => !createdKeys.has(contact.dialKey));
  const duplicates = [...rows.repeated, ...known.map(row => errorOf(row, '号码已在该活动中'))];
  const createdRows = rows.distinct.length - known.length;
  const skippedRows = duplicates.length + failed.length;
  return {
    totalRows: createdRows + skippedRows,
    createdRows,
    skippedRows,
    duplicateRows: duplicates.length,
    failedRows: failed.length,
    errors: [...failed, ...duplicates].sort((a, b) => a.rowNumber - b.rowNumber).slice(0, MAX_REPORTED_ERRORS),
  };
}

function errorOf({ rowNumber, contact, source }: ImportRow, reason: string): ImportError {
  return { rowNumber, phoneNumber: contact.phoneNumber, reason, source };
}
