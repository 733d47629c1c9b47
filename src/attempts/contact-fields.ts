import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';
import type { ResultField, ResultValue } from '#scripts/decisions/result-field.ts';

/** The latest value of a field that the calls of a contact found out. */
export interface ContactField extends ResultField {
  contactId: number;
  value: ResultValue;
  attemptId: number;
  /** UTC ms. */
  at: number;
}

/**
 * The latest value of each field of each contact, in the order in which the latest script of the contact declares them, others behind.
 *
 * Why: the label of a value is that of the version that the call ran
 */
export function readContactFields({ db }: { db: Sql }, contactIds: readonly number[]): Promise<ContactField[]> {
  return db.rows(sql<ContactField>`
    select asked.id as contact_id, v.key, coalesce(f.label, v.key) as label, coalesce(f.type, 'text') as type, v.value, v.attempt_id, v.at
    from unnest(${ids(contactIds)}) as asked (id)
    cross join lateral (
      select distinct on (e.key) e.key, e.value, a.id as attempt_id, coalesce(a.ended_at, a.created_at) as at, a.script_id, a.script_version
      from attempt a cross join lateral jsonb_each(a.result_fields) e
      where a.contact_id = asked.id and a.deleted_at is null and a.result_fields is not null order by e.key, a.id desc) as v
    left join script_version s on s.script_id = v.script_id and s.version = v.script_version
    left join lateral (
      select d.value ->> 'label' as label, d.value ->> 'type' as type, d.place
      from jsonb_array_elements(s.body #> '{nlu,fields}') with ordinality as d (value, place) where d.value ->> 'key' = v.key limit 1) as f on true
    order by asked.id, v.attempt_id desc, f.place, v.key`);
}
