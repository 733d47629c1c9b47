import { type RawBuilder, sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import { recountBatches } from '#attempts/batch-store.ts';
import { duePromise } from '#callbacks/callback-store.ts';
import type { Clock } from '#kernel/clock.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { Database } from '#platform/postgres/database.ts';
import { instant, json, uuids } from '#platform/postgres/values.ts';
import type { CallDetails, DialProgress, OpenAttempt, OutcomeStore, SettledDial } from './outcome-store.ts';

/**
 * Writes single facts of many calls to PostgreSQL in batches. Each promise settles with its own batch.
 *
 * Why: concurrent small batches wait for each other's rows of `batch`, and cost a busy instance three times as much of PostgreSQL
 */
export interface AttemptWriter {
  accepted(reply: { requestId: string; replyText: string }): Promise<void>;
  answered(answer: { requestId: string; answeredAt: number }): Promise<void>;
  heard(hearing: { requestId: string; heard: string | false }): Promise<void>;
  settled(outcome: SettledDial): Promise<void>;
  /** For a dial that was certainly not sent. */
  reverted(dial: UnsentDial): Promise<void>;
}

export interface AttemptWriterPart {
  writer: AttemptWriter;
}

interface UnsentDial {
  requestId: string;
  reason: string;
}

/** Batching delay of writes that a slot or a contact waits for. */
const LINGER_MS = 25;
/** Batching delay of facts that are only displayed, or needed only after a loss of the cache, in ms. */
const CALM_MS = 100;
/** More than arrive while one batch is written, so that they form one further batch and never two. */
const MAX_BATCH = 200;

export function attemptWriter(dials: OutcomeStore, clock: Clock): AttemptWriter {
  const batched = <Item>(lingerMs: number, write: (batch: readonly Item[]) => Promise<unknown>) =>
    new MicroBatcher<Item>({
      maxBatch: MAX_BATCH,
      linger: leave => clock.schedule(lingerMs, leave),
      inTurn: true,
      write: async batch => void (await write(batch)),
    });
  const progress = batched<DialProgress>(CALM_MS, batch => dials.recordProgress(eachOnce(batch)));
  const settled = batched<SettledDial>(LINGER_MS, batch => dials.settle(batch));
  const reverted = batched<UnsentDial>(LINGER_MS, batch => revertByReason(dials, batch));
  return {
    accepted: reply => progress.add(reply),
    answered: answer => progress.add(answer),
    heard: hearing => progress.add(hearing),
    settled: outcome => settled.add(outcome),
    reverted: dial => reverted.add(dial),
  };
}

/** Merges the facts of one call: a call whose answer and first word come at once is written once. */
function eachOnce(batch: readonly DialProgress[]): DialProgress[] {
  const byCall = Map.groupBy(batch, ({ requestId }) => requestId);
  return Array.from(byCall.values(), news => Object.assign({}, ...news));
}

async function revertByReason(dials: OutcomeStore, batch: readonly UnsentDial[]): Promise<void> {
  for (const [reason, unsent] of Map.groupBy(batch, dial => dial.reason)) {
    const requestIds = unsent.map(({ requestId }) => requestId);
    await dials.revert(requestIds, { alsoDialing: true, reason });
  }
}

type AttemptReads = Pick<OutcomeStore, 'openAttempts' | 'findAttempts' | 'closedByReport' | 'loadDetails'>;

export function dialAttempts(db: Database): AttemptReads {
  return {
    openAttempts: (afterId, limit) => db.rows(attemptsWhere(sql`a.id > ${afterId} and ${OPEN} order by a.id limit ${limit}`)),
    findAttempts: requestIds => db.rows(attemptsWhere(sql`a.request_id = any(${uuids(requestIds)}) order by a.id`)),
    // Ignores calls longer than a day: the date index then avoids reading all attempts.
    closedByReport: (cellId, withinMs, limit) =>
      db.rows(
        attemptsWhere(sql`
          a.created_at > now() - interval '1 day' and a.cell_id = ${cellId} and a.status in ('completed', 'failed')
          and a.result_at > now() - ${withinMs}::float8 * interval '1 millisecond' order by a.result_at desc limit ${limit}`),
      ),
    loadDetails: requestIds =>
      db.rows(sql<CallDetails>`
        select a.request_id, a.id as attempt_id, a.batch_id, a.campaign_id, c.name as campaign_name, c.business_code, k.id as contact_id, a.phone_number,
          k.customer_name, coalesce(a.cell_id, '') as cell_id, a.script_id, a.script_version, c.business_config, k.metadata,
          a.tested_by is not null as is_test, case when a.tested_by is null then k.mailbox_text end as mailbox_text,
          case when k.callback_at is not null and a.tested_by is null then ${duePromise(sql`k.id`, sql`a.claimed_at`)} end as callback
        from attempt a join campaign c on c.id = a.campaign_id join contact k on k.id = coalesce(a.tested_contact_id, a.contact_id)
        where a.request_id = any(${uuids(requestIds)}) order by a.id`),
  };
}

function attemptsWhere(rest: RawBuilder<unknown>): RawBuilder<OpenAttempt> {
  return sql<OpenAttempt>`
    select a.id, a.request_id, a.campaign_id, a.contact_id, a.line_id, a.caller_number, a.cell_id, a.status,
      epoch_ms(now()) - epoch_ms(a.claimed_at) as claimed_ago_ms, epoch_ms(now()) - epoch_ms(a.dialing_at) as dialing_ago_ms,
      a.answered_at, a.heard_runtime,
      case when a.heard_runtime is null then epoch_ms(now()) - epoch_ms(coalesce(a.heard_at, a.answered_at)) end as unheard_ms,
      a.result_at is not null as has_result
    from attempt a where ${rest}`;
}

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
