import { type RawBuilder, sql } from 'kysely';
import { SOFTPHONE_OPEN } from '#contacts/contact-store.ts';
import { texts } from '#platform/postgres/values.ts';
import { keysBeside } from '#policies/person-keys.ts';
import type { ClaimRequest, RecentDial } from './dial-store.ts';

/*
 * SQL conditions about whether a number may be dialled, each defined only here. The other rules are in TypeScript
 * (decisions/dial-admission.ts) and, for slots, in Lua.
 */

/** Whether the campaign with alias `c` may dispatch: manual dispatch is also allowed for draft and paused ones. Source: D7.4 */
export function mayDispatch(source: RawBuilder<ClaimRequest['source']>): RawBuilder<boolean> {
  return sql<boolean>`c.deleted_at is null and (c.status = 'running' or (${source} = 'manual' and c.status in ('draft', 'paused')))`;
}

/**
 * Whether the switch refused the dial of the attempt with alias `a`, so that no channel existed and it does not count as a dial.
 *
 * Why:    a call whose reply was lost has no reply text, and its phone may have rung
 * Source: D7.1, D8.4
 */
export const REFUSED: RawBuilder<boolean> = sql`(a.status = 'failed' and a.accepted_at is null and a.reply_text <> '')`;

/** Limit of earlier dials of a number that a decision considers; no frequency limit is higher. */
const MAX_RECENT_DIALS = 10_000;

/** The number's dials after `since` without test calls, newest first within each half, as a sub-select. Source: D7.16, D8.4 */
export function recentDialsOf(dialKey: RawBuilder<unknown>, since: RawBuilder<unknown>): RawBuilder<RecentDial> {
  return sql<RecentDial>`(
    (select a.dialing_at as at, a.campaign_id from attempt a
     where a.dial_key = ${dialKey} and a.dialing_at is not null and a.dialing_at > ${since}
       and not ${REFUSED} and not a.is_line_fault and a.tested_by is null
     order by a.dialing_at desc limit ${MAX_RECENT_DIALS})
    union all
    (select a.claimed_at, a.campaign_id from attempt a where a.dial_key = ${dialKey} and a.status = 'claimed' and a.tested_by is null limit ${MAX_RECENT_DIALS}))`;
}

/** End of the number's last abandoned call, null when there is none; one look-up in the index attempt_abandoned_number. Source: D8.11 */
export function lastAbandonedAt(dialKey: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql<number | null>`(
    select epoch_ms(a.ended_at) from attempt a where a.dial_key = ${dialKey} and a.outcome = 'abandoned' and a.tested_by is null order by a.ended_at desc limit 1)`;
}

/** Longest call that still counts after its attempt is closed: a conversation with an agent may continue after the runtime's report. */
const LONGEST_CALL = sql`interval '1 day'`;

/**
 * Whether the person with the number is in a call: an open attempt of any campaign, a call by an agent, or a conversation that continues after
 * the report, on this number or another of the person.
 *
 * Why: a person speaks in one call at a time, whichever campaign or agent dials. Use it after `lockNumbers`
 * Shape: `exceptConference`: id of a conference whose own calls are ignored; it may call a person at several numbers
 */
export function isInCall(dialKey: RawBuilder<unknown>, exceptConference: string | null = null): RawBuilder<boolean> {
  if (exceptConference !== null) return hasCall(dialKey, exceptConference);
  return sql<boolean>`(${hasCall(dialKey, null)}
    or exists (select 1 from ${keysBeside(dialKey)} as beside where ${hasCall(sql`beside.dial_key`, null)}))`;
}

function hasCall(dialKey: RawBuilder<unknown>, exceptConference: string | null): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select 1 from attempt o where o.dial_key = ${dialKey} and o.status in ('claimed','dialing','accepted','answered'))
    or ${isCalledByAgent(dialKey, exceptConference)}
    or exists (select 1 from attempt o where o.dial_key = ${dialKey} and o.dialing_at is not null and o.dialing_at > now() - ${LONGEST_CALL}
      and o.status = 'completed' and exists (select 1 from softphone_call s where s.attempt_id = o.id and ${SOFTPHONE_OPEN})))`;
}

/** Describes the call that `isInCall` finds: a campaign, an agent, or a conference without an agent; null when there is none. */
export function numberHolder(dialKey: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`coalesce(${callHolder(dialKey)},
    (select max(${callHolder(sql`beside.dial_key`)}) from ${keysBeside(dialKey)} as beside))`;
}

function callHolder(dialKey: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(
    select coalesce('坐席「' || g.name || '」', '活动「' || c.name || '」', '会议') from (
      (select null::int as agent_id, o.campaign_id from attempt o where o.dial_key = ${dialKey} and o.status in ('claimed','dialing','accepted','answered') limit 1)
      union all
      (select s.agent_id, null from softphone_call s where s.dial_key = ${dialKey} and s.dial_key <> '' and ${SOFTPHONE_OPEN} order by s.id limit 1)
      union all
      (select s.agent_id, o.campaign_id from attempt o join softphone_call s on s.attempt_id = o.id and ${SOFTPHONE_OPEN}
       where o.dial_key = ${dialKey} and o.dialing_at is not null and o.dialing_at > now() - ${LONGEST_CALL} and o.status = 'completed' limit 1)) as held
    left join agent g on g.id = held.agent_id left join campaign c on c.id = held.campaign_id limit 1)`;
}

function isCalledByAgent(dialKey: RawBuilder<unknown>, exceptConference: string | null): RawBuilder<boolean> {
  const others = exceptConference === null ? sql`` : sql`and s.conference_id is distinct from ${exceptConference}`;
  return sql<boolean>`exists (select 1 from softphone_call s where s.dial_key = ${dialKey} and s.dial_key <> '' and ${SOFTPHONE_OPEN} ${others})`;
}

/**
 * Whether another call has the person of the attempt with alias `a`, which is about to be dialled; of two claimed attempts the first wins.
 *
 * Why: claims exclude each other, except those of servers of an earlier version that may run at the same time
 */
export const HAS_RIVAL: RawBuilder<boolean> = sql`(${hasRival(sql`a.dial_key`)}
  or exists (select 1 from ${keysBeside(sql`a.dial_key`)} as beside where ${hasRival(sql`beside.dial_key`)}))`;

function hasRival(dialKey: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
  exists (select 1 from attempt o where o.dial_key = ${dialKey} and o.status in ('claimed','dialing','accepted','answered')
    and o.id <> a.id and (o.status <> 'claimed' or o.id < a.id))
  or ${isCalledByAgent(dialKey, null)})`;
}

/** Key for `pg_advisory_xact_lock`, combined with the hash of a number. */
const NUMBER_LOCK = 7_225_542;

/**
 * Serialises transactions that are about to call the persons with these numbers; locks in a fixed order to avoid deadlocks.
 *
 * Why: two transactions that check concurrently would both find the person free. A separate statement, so that the next one sees recent
 *      commits
 */
export function lockNumbers(dialKeys: readonly string[]): RawBuilder<unknown> {
  return sql`
    select pg_advisory_xact_lock(${NUMBER_LOCK}::int, n.hash)
    from (select hashtext(k.key) as hash from unnest(${texts(dialKeys)}) as k(key)
      union select hashtext(beside.dial_key) from unnest(${texts(dialKeys)}) as k(key) cross join lateral ${keysBeside(sql`k.key`)} as beside
      order by 1) as n`;
}

const FREE = sql`k.hold_reason is null and k.deleted_at is null`;

/*
 * Contacts with alias `k` that wait to be dialled: due callbacks first, then urgent dials and their retries, then due retries, then by priority.
 * The conditions must match the partial indexes literally (D5.5, D7.12, D7.15).
 */
export const CALLBACKS = { where: sql`k.status = 'pending' and k.callback_at is not null and ${FREE}`, order: sql`k.callback_at, k.id` };
export const URGENT = {
  where: sql`k.status = 'pending' and k.callback_at is null and k.urgency > 0 and ${FREE}`,
  order: sql`k.urgency desc, k.id`,
};
const RETRYABLE = sql`k.status = 'failed' and k.retry_at is not null and ${FREE}`;
/** Read by their time, so that no sort looks at those that rest; `URGENT.order` places them among the urgent ones. */
export const URGENT_RETRIES = { where: sql`${RETRYABLE} and k.urgency > 0`, order: sql`k.retry_at, k.id` };
export const OTHER_RETRIES = { where: sql`${RETRYABLE} and k.urgency = 0`, order: sql`k.retry_at, k.id` };
export const RETRIES = { where: RETRYABLE, order: sql`k.retry_at, k.id` };
export const FRESH = {
  where: sql`k.status = 'pending' and k.callback_at is null and k.urgency = 0 and ${FREE}`,
  order: sql`k.priority desc, k.id`,
};
