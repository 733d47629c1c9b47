import type { NewContact } from '#ports/contact-store.ts';

/** Told rows of one answer. Source: D6.5 */
const MAX_REPORTED_ERRORS = 1_000;

export interface ImportError {
  /** From 1 for the first data row. */
  rowNumber: number;
  phoneNumber: string;
  /** Chinese. */
  reason: string;
  /** Of a file. */
  source?: RowSource | undefined;
}

/** A row as its file has it. */
export interface RowSource {
  cells: readonly string[];
  /** Name of the column at fault; null: the row as a whole is. */
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
  /** Failed and duplicate rows by row number, at most 1,000. */
  errors: ImportError[];
  /** Rows of a workbook that are hidden and were left out; absent when none were. */
  hiddenRows?: number | undefined;
}

export interface ImportRow {
  rowNumber: number;
  contact: NewContact;
  /** Of a file, with its column of numbers. */
  source?: RowSource | undefined;
}

export interface DistinctRows {
  /** The first row of every number. */
  distinct: ImportRow[];
  /** Rows whose number an earlier row has. */
  repeated: ImportError[];
}

/** Takes repeated numbers out of one import, so that what is written has each number once. Source: D6.1, D6.5 */
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

/** What an import did, given the dial keys that were new to the campaign. Source: OCS 2.7, D6.5 */
export function importResult(rows: DistinctRows, failed: readonly ImportError[], createdKeys: ReadonlySet<string>): ImportResult {
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
