import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import { type SavedReport, savedReport } from './saved-report.ts';

const COLUMNS = columnsOf(savedReport, 'r');
/** Most reports in one response; people make them by hand. */
const MAX_LISTED = 1_000;

/** Without users, everything is everybody's. */
function isVisible({ userId }: Pick<Caller, 'userId'>): RawBuilder<unknown> {
  return sql`(r.is_shared or r.created_by is not distinct from ${userId})`;
}

/** The reports that are shared, and the caller's own, by name. */
export function listSavedReports({ db }: { db: Sql }, caller: Pick<Caller, 'userId'>): Promise<SavedReport[]> {
  return db.rows(
    sql<SavedReport>`select ${COLUMNS} from saved_report r where ${isVisible(caller)} order by r.name, r.id limit ${MAX_LISTED}`,
  );
}

/** Null when the caller sees no such report. */
export async function findSavedReport(db: Pick<Sql, 'first'>, caller: Pick<Caller, 'userId'>, id: number): Promise<SavedReport | null> {
  const row = await db.first(sql<SavedReport>`select ${COLUMNS} from saved_report r where r.id = ${id} and ${isVisible(caller)}`);
  return row ?? null;
}

/** Locks a report for a change. Errors: NOT_FOUND, also for another user's own report */
export async function lockSavedReport(tx: Sql, caller: Pick<Caller, 'userId'>, id: number): Promise<SavedReport> {
  const row = await tx.first(
    sql<SavedReport>`select ${COLUMNS} from saved_report r where r.id = ${id} and ${isVisible(caller)} for update`,
  );
  if (row === undefined) throw notFound('报表');
  return row;
}

export type SavedReportFields = Pick<SavedReport, 'name' | 'question' | 'isShared'>;

export async function insertSavedReport(
  tx: Sql,
  { name, question, isShared }: SavedReportFields,
  createdBy: number | null,
): Promise<SavedReport> {
  return written(
    await tx.first(sql<SavedReport>`
      insert into saved_report as r (name, question, is_shared, created_by) values (${name}, ${question}, ${isShared}, ${createdBy})
      returning ${COLUMNS}`),
  );
}

export async function writeSavedReport(tx: Sql, id: number, { name, question, isShared }: SavedReportFields): Promise<SavedReport> {
  return written(
    await tx.first(sql<SavedReport>`
      update saved_report r set name = ${name}, question = ${question}, is_shared = ${isShared} where r.id = ${id} returning ${COLUMNS}`),
  );
}

export async function removeSavedReport(tx: Sql, id: number): Promise<void> {
  await tx.run(sql`delete from saved_report where id = ${id}`);
}

function written(row: SavedReport | undefined): SavedReport {
  if (row === undefined) throw new Error('a report that was written vanished');
  return row;
}
