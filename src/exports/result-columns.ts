import { type RawBuilder, sql } from 'kysely';

/** Values of the call with alias `a`, by the keys of its script's fields. */
export const CALL_RESULTS: RawBuilder<unknown> = sql`a.result_fields`;

/** The latest values of the contact with alias `k`: a later call's win, key by key. */
export const CONTACT_RESULTS: RawBuilder<unknown> = sql`(
  select jsonb_object_agg(latest.key, latest.value) from (
    select distinct on (e.key) e.key, e.value from attempt r cross join lateral jsonb_each(r.result_fields) e
    where r.contact_id = k.id and r.deleted_at is null and r.result_fields is not null order by e.key, r.id desc) as latest)`;
