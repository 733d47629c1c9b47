import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import type { ResultField } from './decisions/fits.ts';
import type { DisposedCall } from './disposed-call.ts';

/** The fields that the call's script collects, as in the version that the call ran; none for a call without a script. Source: D11 */
export async function resultFields(db: Sql, { scriptId, scriptVersion }: DisposedCall): Promise<ResultField[]> {
  if (scriptId === null || scriptVersion === null) return [];
  const row = await db.first(sql<{ fields: ResultField[] | null }>`
    select v.body #> '{nlu,fields}' as fields from script_version v where v.script_id = ${scriptId} and v.version = ${scriptVersion}`);
  return row?.fields ?? [];
}
