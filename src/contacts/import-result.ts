import { type AddedContacts, LEFT_OUT_REASONS, type LeftOutReason, type NewContact } from './contact.ts';

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
 * Shape:  totalRows = createdRows + updatedRows + duplicateRows + failedRows; skippedRows = duplicateRows + failedRows. The optional counts
 *         are absent when they are 0
 * Source: OCS 2.7, D6.8
 */
export interface ImportResult {
  totalRows: number;
  createdRows: number;
  skippedRows: number;
  duplicateRows: number;
  failedRows: number;
  /** Contacts that were found by their external id. */
  updatedRows?: number | undefined;
  /** Those of them that are in a call or final: their state stays. */
  keptRows?: number | undefined;
  /** Duplicate rows by reason. */
  leftOut?: { reason: LeftOutReason; rows: number }[] | undefined;
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

/** A row that makes no contact, because its person is there already. */
export interface LeftOutRow {
  because: LeftOutReason;
  error: ImportError;
}

export interface DistinctRows {
  /** The first row of every number and every external id. */
  distinct: ImportRow[];
  leftOut: LeftOutRow[];
}

/**
 * Removes repeated persons within one import, so that each is written once: by their external id, else by the number to dial first, which an
 * earlier row may have among several.
 *
 * Source: D6.1, D6.5, D6.8
 */
export function distinctRows(rows: readonly ImportRow[]): DistinctRows {
  const [rowOfKey, rowOfId] = [new Map<string, number>(), new Map<string, number>()];
  const result: DistinctRows = { distinct: [], leftOut: [] };
  for (const row of rows) {
    const { dialKey, externalId, numbers } = row.contact;
    const sameId = externalId === '' ? undefined : rowOfId.get(externalId);
    const first = sameId ?? rowOfKey.get(dialKey);
    if (first === undefined) {
      result.distinct.push(row);
      rowOfId.set(externalId, row.rowNumber);
      for (const key of [dialKey, ...numbers.map(number => number.dialKey)]) rowOfKey.set(key, rowOfKey.get(key) ?? row.rowNumber);
    } else {
      const what = sameId === undefined ? '号码' : '外部编号';
      result.leftOut.push({ because: 'repeated', error: errorOf(row, `${what}与第 ${first} 行重复`) });
    }
  }
  return result;
}

const LEFT_OUT_TEXTS: Readonly<Record<LeftOutReason, string>> = {
  repeated: '号码与另一行重复',
  campaign: '号码已在该活动中',
  business: '号码已在同一业务的其他活动中',
  contacted: '近期已呼叫过',
};

export function leftOutRow(row: ImportRow, because: LeftOutReason): LeftOutRow {
  return { because, error: errorOf(row, LEFT_OUT_TEXTS[because]) };
}

/** Builds the result of an import from what became of its contacts. Source: OCS 2.7, D6.5, D6.8 */
export function resultOfRows({ distinct, leftOut }: DistinctRows, failed: readonly ImportError[], added: AddedContacts): ImportResult {
  const { created, updated } = added;
  const known = distinct.filter(({ contact }) => !created.has(contact.dialKey) && !updated.has(contact.externalId));
  const left = [...leftOut, ...known.map(row => leftOutRow(row, 'campaign'))];
  const updatedRows = distinct.filter(({ contact }) => updated.has(contact.externalId)).length;
  const createdRows = distinct.length - known.length - updatedRows;
  const skippedRows = left.length + failed.length;
  return {
    totalRows: createdRows + updatedRows + skippedRows,
    createdRows,
    skippedRows,
    duplicateRows: left.length,
    failedRows: failed.length,
    ...updatesOf(added, updatedRows),
    ...(left.length > 0 && { leftOut: countsOf(left) }),
    errors: [...failed, ...left.map(({ error }) => error)].sort((a, b) => a.rowNumber - b.rowNumber).slice(0, MAX_REPORTED_ERRORS),
  };
}

function updatesOf({ updated }: AddedContacts, updatedRows: number): Pick<ImportResult, 'updatedRows' | 'keptRows'> {
  const keptRows = [...updated.values()].filter(how => how === 'kept').length;
  return { ...(updatedRows > 0 && { updatedRows }), ...(keptRows > 0 && { keptRows }) };
}

function countsOf(left: readonly LeftOutRow[]): NonNullable<ImportResult['leftOut']> {
  return LEFT_OUT_REASONS.map(reason => ({ reason, rows: left.filter(({ because }) => because === reason).length })).filter(
    ({ rows }) => rows > 0,
  );
}

function errorOf({ rowNumber, contact, source }: ImportRow, reason: string): ImportError {
  return { rowNumber, phoneNumber: contact.phoneNumber, reason, source };
}
