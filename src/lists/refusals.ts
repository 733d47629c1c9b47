import { sql } from 'kysely';
import type { ImportError } from '#contacts/import-result.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';

/** Most refused rows that are kept of one import. */
export const MAX_REFUSALS = 100_000;

/** Number of the row that keeps the titles of the columns: the file itself is removed after its import. */
const HEADER_ROW = 0;

interface Refused {
  jobId: number;
  /** Titles of the columns. */
  titles: readonly string[];
  failed: readonly ImportError[];
  /** Refused rows before these. */
  before: number;
  /** Rows above the data. */
  above: number;
  region: Region;
}

/** Keeps refused rows with their cells, in the transaction of the rows beside them. */
export async function keepRefusals(tx: Sql, { jobId, titles, failed, before, above, region }: Refused): Promise<void> {
  const rows = failed.slice(0, Math.max(0, MAX_REFUSALS - before)).map(({ rowNumber, reason, phoneNumber, source }) => ({
    rowNumber,
    fileRow: rowNumber + above,
    column: source?.column ?? null,
    reason,
    dialKey: dialKey(phoneNumber, region),
    cells: source?.cells ?? [],
  }));
  if (rows.length === 0) return;
  await tx.run(sql`
    insert into import_refusal (job_id, row_number, file_row, reason, dial_key, cells)
    values (${jobId}, ${HEADER_ROW}, ${above}, '', '', ${json(titles)}) on conflict do nothing`);
  await tx.run(sql`
    insert into import_refusal (job_id, row_number, file_row, column_name, reason, dial_key, cells)
    select ${jobId}::bigint, "rowNumber", "fileRow", "column", reason, "dialKey", cells
    from jsonb_to_recordset(${json(rows)}) as r("rowNumber" bigint, "fileRow" bigint, "column" text, reason text, "dialKey" text, cells jsonb)`);
}

export interface Refusal {
  rowNumber: number;
  fileRow: number;
  columnName: string | null;
  reason: string;
  cells: string[];
}

/** Rows that one statement reads. */
const SLICE_ROWS = 1_000;

/** The titles of the columns; none when no row was refused. */
export async function readHeader(db: Pick<Sql, 'first'>, jobId: number): Promise<readonly string[]> {
  const row = await db.first(
    sql<Pick<Refusal, 'cells'>>`select cells from import_refusal where job_id = ${jobId} and row_number = ${HEADER_ROW}`,
  );
  return row?.cells ?? [];
}

/** The refused rows of an import in the order of the file. */
export async function* refusalsOf(db: Pick<Sql, 'rows'>, jobId: number): AsyncGenerator<readonly Refusal[]> {
  for (let after = HEADER_ROW; ; ) {
    const rows = await db.rows(sql<Refusal>`
      select row_number, file_row, column_name, reason, cells from import_refusal
      where job_id = ${jobId} and row_number > ${after} order by row_number limit ${SLICE_ROWS}`);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.rowNumber;
  }
}
