import { type RawBuilder, sql } from 'kysely';
import { CALLBACKS, FRESH, OTHER_RETRIES, URGENT, URGENT_RETRIES } from './queue-conditions.ts';

/*
 * The contacts that the campaign with alias `c` dials next, with the caller numbers that a choice of theirs needs.
 */

/** Number of contacts that the plan names, for the next claim. */
const MAX_TAKERS = 100;

/** Caller number of the latest answered call to the person, whichever campaign made it. */
const REACHED_BY = sql`(
  select a.caller_number from attempt a
  where a.dial_key = next.dial_key and a.dialing_at is not null and a.answered_at is not null and a.tested_by is null order by a.dialing_at desc limit 1)`;

/** Whether a line of the campaign keeps the number that reached a person: only then it is looked up. */
const KEEPS_NUMBERS = sql`exists (
  select 1 from campaign_line cl join line l on l.id = cl.line_id where cl.campaign_id = c.id and (l.number_rules ->> 'keepsNumber')::boolean)`;

const part = (turn: number, where: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
  (select ${sql.lit(turn)} as turn, row_number() over (order by ${order}) as place, k.id, k.dial_key, k.last_caller_number from contact k
   where k.campaign_id = c.id and ${where} order by ${order} limit ${MAX_TAKERS})`;

/** Urgent dials, and those of their retries that are due: each read through its own index. */
const urgentPart = () => sql`
  (select 1, row_number() over (order by ${URGENT.order}), k.id, k.dial_key, k.last_caller_number from (
     (select * from contact k where k.campaign_id = c.id and ${URGENT_RETRIES.where} and k.retry_at <= now()
      order by ${URGENT_RETRIES.order} limit ${MAX_TAKERS})
     union all (select * from contact k where k.campaign_id = c.id and ${URGENT.where} order by ${URGENT.order} limit ${MAX_TAKERS})) as k
   order by ${URGENT.order} limit ${MAX_TAKERS})`;

/** D4.3 applies to every contact dialled before, even if a user has made it pending again. */
export const TAKERS = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('contactId', next.id, 'dialKey', next.dial_key, 'lastCallerNumber', next.last_caller_number,
      'reachedBy', case when keeps.numbers then ${REACHED_BY} end) order by next.turn, next.place), '[]')
   from (select ${KEEPS_NUMBERS} as numbers) as keeps cross join lateral (select * from (
     ${part(0, CALLBACKS.where, CALLBACKS.order)}
     union all ${urgentPart()}
     union all ${part(2, sql`${OTHER_RETRIES.where} and k.retry_at <= now()`, OTHER_RETRIES.order)}
     union all ${part(3, FRESH.where, FRESH.order)}) as queued order by turn, place limit ${MAX_TAKERS}) as next)`;
