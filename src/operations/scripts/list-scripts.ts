import { sql } from 'kysely';
import { SCRIPT_COLUMNS } from '#adapters/postgres/script-repository.ts';
import { isFound } from '#adapters/postgres/search.ts';
import type { ScriptVersion } from '#ports/script-store.ts';
import { listOf } from '../listing.ts';

/** Each with its current version. Source: OCS 4.3 */
export const scriptList = listOf<ScriptVersion, { q: string; businessCode: string | null }>(
  {
    columns: sql`${SCRIPT_COLUMNS}, v.hash, v.body`,
    from: sql`script s join script_version v on v.script_id = s.id and v.version = s.current_version`,
    id: sql`s.id`,
    exists: sql`s.deleted_at is null`,
  },
  ({ q, businessCode }) =>
    sql`${isFound(q, [sql`s.name`, sql`s.business_code`, sql`s.description`])} 
      and ${businessCode === null ? sql`true` : sql`s.business_code = ${businessCode}`}`,
);
