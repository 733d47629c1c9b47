import { type RawBuilder, sql } from 'kysely';
import type { DialStore } from '#ports/dial-store.ts';
import type { Database } from '#adapters/postgres/database.ts';
import { recountBatches } from './dial-batches.ts';
import { json, uuids } from '#adapters/postgres/values.ts';

type ProgressMethods = Pick<DialStore, 'recordAccepted' | 'recordRingback' | 'recordAnswered'>;

/**
 * What the switch reports of calls that go on.
 *
 * Why: events and replies overtake each other, so each writes what it knows and moves the status only forward
 */
export function dialProgress(db: Database): ProgressMethods {
  return {
    recordAccepted: replies => move(db, replies, accept(replies)),
    recordAnswered: answers => move(db, answers, answer(answers)),
    recordRingback: async (requestId, detection, callStatus) => {
      await db.run(sql`
        update attempt a set ringback_detection = ${json(detection)},
          call_status = case when a.status in ('dialing', 'accepted', 'answered') then coalesce(${callStatus}::text, a.call_status) else a.call_status end
        where a.request_id = ${requestId}::uuid`);
    },
  };
}

/** One transaction of one round trip; a batch that counts its call already is left alone. */
async function move(db: Database, calls: readonly { requestId: string }[], statement: RawBuilder<unknown>): Promise<void> {
  const requestIds = uuids(calls.map(({ requestId }) => requestId));
  await db.hot.transaction(
    tx =>
      tx.last(
        statement,
        ...recountBatches(
          sql`array(select distinct a.batch_id from attempt a where a.request_id = any(${requestIds}) and a.accepted_at = now()::timestamptz(3))`,
        ),
      ),
    { byKey: true },
  );
}

function accept(replies: Parameters<DialStore['recordAccepted']>[0]): RawBuilder<unknown> {
  return sql`
    with reply as (select * from jsonb_to_recordset(${json(replies)}) as r("requestId" uuid, "replyText" text)),
    locked as (
      select a.id, r."replyText" as text from attempt a join reply r on r."requestId" = a.request_id
      where a.dialing_at is not null and (a.accepted_at is null or a.reply_text = '') order by a.id for no key update of a)
    update attempt a set accepted_at = coalesce(a.accepted_at, now()), reply_text = coalesce(nullif(a.reply_text, ''), locked.text),
      status = case when a.status = 'dialing' then 'accepted' else a.status end
    from locked where a.id = locked.id`;
}

function answer(answers: Parameters<DialStore['recordAnswered']>[0]): RawBuilder<unknown> {
  return sql`
    with answer as (select * from jsonb_to_recordset(${json(answers)}) as r("requestId" uuid, "answeredAt" float8)),
    locked as (
      select a.id, to_timestamp(r."answeredAt" / 1000) as at from attempt a join answer r on r."requestId" = a.request_id
      where a.status in ('dialing', 'accepted') order by a.id for no key update of a)
    update attempt a set status = 'answered', answered_at = coalesce(a.answered_at, locked.at), accepted_at = coalesce(a.accepted_at, now())
    from locked where a.id = locked.id`;
}
