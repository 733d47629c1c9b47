import { sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';

/** Most activations of one script in a response, newest first. */
const MAX_LISTED = 200;

/** One activation of a version, or disabling of the script. */
export interface ScriptActivation {
  id: number;
  scriptId: number;
  /** Null: the script was taken out of use. */
  version: number | null;
  /** The reason that the user gave; empty when there is none. */
  reason: string;
  actedBy: number | null;
  /** UTC ms. */
  createdAt: number;
}

/** Records in the transaction of the change itself who made it and why. Source: D11 */
export async function noteActivation(
  tx: Sql,
  { userId }: Caller,
  { scriptId, version, reason }: Pick<ScriptActivation, 'scriptId' | 'version' | 'reason'>,
): Promise<void> {
  await tx.run(sql`
    insert into script_activation (script_id, version, reason, acted_by) values (${scriptId}, ${version}, ${reason}, ${userId})`);
}

/** Returns the newest activations of each script, newest first. */
export function readActivations({ db }: { db: Sql }, scriptIds: readonly number[]): Promise<ScriptActivation[]> {
  return db.rows(sql<ScriptActivation>`
    select a.id, a.script_id, a.version, a.reason, a.acted_by, a.created_at
    from unnest(${ids(scriptIds)}) as asked (id)
    cross join lateral (select * from script_activation where script_id = asked.id order by id desc limit ${MAX_LISTED}) a
    order by a.script_id, a.id desc`);
}
