import { createHash } from 'node:crypto';
import type { RowsDigest } from './job-checks.ts';

/** A file of contacts with known faults. */
export interface KnownFile {
  text: string;
  /** The contacts that it makes. */
  contacts: RowsDigest;
  /** Rows of the file that are refused. */
  refused: number[];
  /** Rows whose external id an earlier one has. */
  repeated: number;
}

const REFUSED_EVERY = 101;
const REPEATED_EVERY = 211;
/** Numbers between those of two files: longer files would share some. */
const NUMBERS = 1_000_000;

/** Makes the n-th file of a run; the numbers of no two files are the same. */
export function knownFile(sequence: number, rows: number): KnownFile {
  const lines = ['手机号,姓名,外部编号'];
  const contacts: string[] = [];
  const refused: number[] = [];
  let repeated = 0;
  for (let row = 1; row <= rows; row++) {
    const number = `159${String(sequence * NUMBERS + row).padStart(8, '0')}`;
    const externalId = `C${sequence}-${row}`;
    if (row % REFUSED_EVERY === 0) {
      // The header is the first row.
      refused.push(row + 1);
      lines.push(`不是号码,第${row}行,${externalId}`);
    } else if (row % REPEATED_EVERY === 0) {
      repeated += 1;
      lines.push(`${number},第${row}行,C${sequence}-1`);
    } else {
      contacts.push(`${externalId}:${number}`);
      lines.push(`${number},第${row}行,${externalId}`);
    }
  }
  return { text: `${lines.join('\n')}\n`, contacts: digestOf(contacts), refused, repeated };
}

/** A digest that does not depend on the order of the rows; PostgreSQL makes the same by the collation "C". */
export function digestOf(rows: readonly string[]): RowsDigest {
  return {
    rows: rows.length,
    digest: createHash('md5')
      .update([...rows].sort().join())
      .digest('hex'),
  };
}
