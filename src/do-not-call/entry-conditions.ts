import { type RawBuilder, sql } from 'kysely';
import { keysBeside } from '#policies/person-keys.ts';

/** Whether the do-not-call list forbids the number now, by an entry of its own or of its person. Source: D8.7 */
export function isListed(dialKey: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select 1 from do_not_call d where d.dial_key = ${dialKey} and (d.expires_at is null or d.expires_at > now()))
    or exists (select 1 from ${keysBeside(dialKey)} as beside join do_not_call d on d.dial_key = beside.dial_key
      where d.scope = 'person' and (d.expires_at is null or d.expires_at > now())))`;
}

/** The do-not-call entry that binds the number longest, its own or one of its person, as JSON; null: there is none. Source: D8.7 */
export function entryOf(dialKey: RawBuilder<unknown>): RawBuilder<{ expiresAt: number | null } | null> {
  return sql<{ expiresAt: number | null } | null>`(
    select jsonb_build_object('expiresAt', epoch_ms(entry.expires_at)) from (
      select d.expires_at from do_not_call d where d.dial_key = ${dialKey}
      union all
      select d.expires_at from ${keysBeside(dialKey)} as beside join do_not_call d on d.dial_key = beside.dial_key
      where d.scope = 'person') as entry
    order by entry.expires_at desc nulls first limit 1)`;
}

/** The scope of an entry that is made for a number without a word about it: its person, when the number is one of several. Source: D8.7 */
export function scopeOf(dialKey: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when exists (select from ${keysBeside(dialKey)} as beside) then 'person' else 'number' end`;
}
