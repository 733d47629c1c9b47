import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { columnsOf, ids } from '#platform/postgres/values.ts';
import { type CallDisposition, callDisposition } from './decisions/call-disposition.ts';

export const DISPOSITION_COLUMNS = columnsOf(callDisposition, 'v');

/** Returns what agents said of these calls, the last word last. */
export function readDispositions({ db }: { db: Sql }, attemptIds: readonly number[]): Promise<(CallDisposition & { attemptId: number })[]> {
  return db.rows(sql<CallDisposition & { attemptId: number }>`
    select ${DISPOSITION_COLUMNS} from call_disposition v where v.attempt_id = any(${ids(attemptIds)}) order by v.updated_at, v.id`);
}
