import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { texts } from '#platform/postgres/values.ts';

/** Removes what lists of contacts, and refused rows of imports, keep about a person; do-not-call lists keep their numbers. Source: D8.7 */
export async function eraseFromLists(tx: Sql, dialKeys: readonly string[]): Promise<void> {
  const keys = texts(dialKeys);
  await tx.run(sql`
    with found as materialized (
      select id from contact_list_row where dial_key = any(${keys})
      union
      select own.id from unnest(${keys}) as asked (key) cross join lateral (
        select r.id from contact_list_row r
        where r.numbers <> '[]' and r.numbers @> jsonb_build_array(jsonb_build_object('dialKey', asked.key))) as own),
    removed as (
      delete from contact_list_row r using contact_list l where r.id in (select id from found) and l.id = r.list_id and l.kind = 'contacts'
      returning r.list_id, r.since_version <= l.version and (r.gone_version is null or r.gone_version > l.version) as is_shown)
    update contact_list l set row_count = row_count - removed.rows
    from (select list_id, count(*) filter (where is_shown) as rows from removed group by list_id) as removed where l.id = removed.list_id`);
  await tx.run(sql`delete from import_refusal where dial_key = any(${texts(dialKeys)})`);
}
