import { type RawBuilder, sql } from 'kysely';
import type { DialProgress } from './outcome-store.ts';
import type { Database } from '#platform/postgres/database.ts';
import { recountBatches } from '#attempts/batch-store.ts';
import { instant, json, uuids } from '#platform/postgres/values.ts';
import type { OutcomeStore } from '#outcomes/outcome-store.ts';

type ProgressMethods = Pick<OutcomeStore, 'recordProgress' | 'recordEnd' | 'recordRingback'>;

/**
 * Progress of running calls, as reported by the switch and by runtimes.
 *
 * Why: events and replies overtake each other, so each report writes what it knows and only advances the status
 */
export function dialProgress(db: Database): ProgressMethods {
  return {
    recordProgress: calls => move(db, calls),
    recordEnd: (requestId, endedAt) => moveEnd(db, requestId, endedAt),
    recordRingback: async (requestId, detection, callStatus) => {
      await db.run(sql`
        update attempt a set ringback_detection = ${json(detection)},
          call_status = case when a.status in ('dialing', 'accepted', 'answered') then coalesce(${callStatus}::text, a.call_status) else a.call_status end
        where a.request_id = ${requestId}::uuid`);
    },
  };
}

/** Idempotent: a repetition finds that the stored end is not earlier. */
async function moveEnd(db: Database, requestId: string, endedAt: number): Promise<void> {
  await db.run(sql`
    with known as (
      select a.id, a.contact_id, ${instant(endedAt)} - a.ended_at as later
      from attempt a where a.request_id = ${requestId}::uuid and a.result_at is not null and a.ended_at < ${instant(endedAt)}
      for no key update),
    ended as (update attempt a set ended_at = a.ended_at + k.later from known k where a.id = k.id)
    update contact c set retry_at = c.retry_at + k.later
    from known k where c.id = k.contact_id and c.last_attempt_id = k.id and c.status = 'failed' and c.retry_at is not null`);
}

/** One transaction in one round trip; a batch that has counted the call already is not updated. */
async function move(db: Database, calls: readonly DialProgress[]): Promise<void> {
  const requestIds = uuids(calls.map(({ requestId }) => requestId));
  await db.hot.transaction(
    tx =>
      tx.last(
        progress(calls),
        ...recountBatches(
          sql`array(select distinct a.batch_id from attempt a where a.request_id = any(${requestIds}) and a.accepted_at = now()::timestamptz(3))`,
        ),
      ),
    { byKey: true },
  );
}

/** Writes one row version for the facts of a call that arrive together. */
function progress(calls: readonly DialProgress[]): RawBuilder<unknown> {
  return sql`
    with news as (select * from jsonb_to_recordset(${json(calls)}) as r("requestId" uuid, "replyText" text, "answeredAt" float8, heard jsonb)),
    locked as (
      select a.id, to_timestamp(n."answeredAt" / 1000) as answered_at,
        case when a.dialing_at is not null and (a.accepted_at is null or a.reply_text = '') then n."replyText" end as reply,
        n."answeredAt" is not null and a.status in ('dialing', 'accepted') as is_answer,
        n.heard is not null and a.status in ('dialing', 'accepted', 'answered') as is_heard, nullif(n.heard, 'false') #>> '{}' as heard
      from attempt a join news n on n."requestId" = a.request_id order by a.id for no key update of a)
    update attempt a set accepted_at = coalesce(a.accepted_at, now()),
      reply_text = coalesce(nullif(a.reply_text, ''), locked.reply, a.reply_text),
      answered_at = case when is_answer then coalesce(a.answered_at, greatest(locked.answered_at, a.started_at)) else a.answered_at end,
      status = case when is_answer then 'answered' when a.status = 'dialing' then 'accepted' else a.status end,
      heard_runtime = case when is_heard then locked.heard else a.heard_runtime end,
      heard_at = case when is_heard then now() else a.heard_at end
    from locked where a.id = locked.id and (is_answer or is_heard or locked.reply is not null)`;
}
