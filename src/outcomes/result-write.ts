import { type RawBuilder, sql } from 'kysely';
import type { AttemptStatus } from '#attempts/attempt.ts';
import { revokeByCalls } from '#consent/consent-store.ts';
import { systemClock } from '#kernel/clock.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import { scopeOf } from '#do-not-call/entry-conditions.ts';
import type { Database } from '#platform/postgres/database.ts';
import { ids, json } from '#platform/postgres/values.ts';
import type { Conclusion } from './decisions/conclude-attempt.ts';
import type { ResultFields } from './decisions/result-report.ts';
import type { OutboxRow, OutcomeStore, ResultReport } from './outcome-store.ts';
import { moveContacts, OUTCOME_COLUMNS } from './settle.ts';

/** The committing instance does the work; after this time others take it over. */
const OUTBOX_LEASE = sql`interval '10 seconds'`;

/** After this time a recording is looked at first: it may still be written. Source: D7.20 */
const FIRST_LOOK = sql`interval '10 seconds'`;

/** Limit of rows removed together. */
const MAX_CLEARED = 500;
/** How long finished rows are collected for a common delete, far shorter than their lease, ms. */
const CLEAR_LINGER_MS = 250;

type OutboxMethods = Pick<OutcomeStore, 'takeOutbox' | 'clearOutbox'>;

export function outbox(db: Database): OutboxMethods {
  const cleared = new MicroBatcher<number>({
    maxBatch: MAX_CLEARED,
    linger: leave => systemClock.schedule(CLEAR_LINGER_MS, leave),
    write: async rowIds => void (await db.hot.rows(sql`delete from outbox where id = any(${ids(rowIds)})`)),
  });
  return {
    // Other kinds have their own pumps (campaign-actor-store.ts).
    takeOutbox: (limit, leaseMs) =>
      db.rows(sql<OutboxRow>`
        with due as (
          select id from outbox where kind = 'result_applied' and due_at <= now() order by due_at, id limit ${limit} for update skip locked)
        update outbox o set tries = o.tries + 1, due_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
        from due where o.id = due.id returning o.id, o.kind, o.key, o.payload`),
    clearOutbox: async rowIds => {
      await Promise.all(rowIds.map(id => cleared.add(id)));
    },
  };
}

/** The effect of a report on its attempt. */
interface ResultWrite {
  attempt: { id: number; requestId: string; campaignId: number; phoneNumber: string; dialKey: string };
  report: ResultReport;
  reading: { fields: ResultFields; status: AttemptStatus; hashes: readonly string[] };
  /** Outcome for the contact; null for a later report, which does not change it. */
  outcome: Conclusion | null;
}

const RESULT_COLUMNS = sql`id bigint, "requestId" uuid, "campaignId" int, status text, "callStatus" text, "startedAt" float8, "answeredAt" float8,
  "endedAt" float8, "durationSeconds" int, "hangupCause" text, "hangupBy" text, "recordingUrl" text, classification text, intent text,
  "recognizedText" text, payload jsonb, "resultFields" jsonb, "resultLayers" jsonb, "reportedTimes" jsonb, "optOut" boolean, hashes text[]`;

/**
 * Writes attempts, transcripts, contacts and outbox in one statement; returns the outbox rows of first reports.
 *
 * Why: a call with a result did take place and counts as accepted, whatever happened to the switch's reply; a late answer cancels a planned
 *      retry; a later report never mixes its transcript into the first. Captions kept instead of a transcript are removed first, since both
 *      may use the same segment ids; they are written under the attempt's lock, so this statement sees them all
 */
export function writeResults(writes: readonly ResultWrite[]): RawBuilder<{ id: number; requestId: string }> {
  const results = writes.map(({ attempt: { id, requestId, campaignId }, report: { optOut }, reading: { fields, status, hashes } }) => ({
    ...fields,
    id,
    requestId,
    campaignId,
    status,
    hashes,
    optOut,
  }));
  const endings = writes.flatMap(({ attempt: { id }, outcome }) => (outcome === null ? [] : [{ id, ...outcome }]));
  const segments = writes.flatMap(({ attempt: { id }, report: { transcript } }) =>
    transcript.map((segment, position) => ({ ...segment, attemptId: id, position })),
  );
  return sql<{ id: number; requestId: string }>`
    with result as (select * from jsonb_to_recordset(${json(results)}) as r(${RESULT_COLUMNS})),
    ending as (select * from jsonb_to_recordset(${json(endings)}) as e(id bigint, ${OUTCOME_COLUMNS})),
    ended as (
      update attempt a set status = r.status, call_status = r."callStatus", started_at = to_timestamp(r."startedAt" / 1000),
        answered_at = to_timestamp(r."answeredAt" / 1000), ended_at = to_timestamp(r."endedAt" / 1000),
        duration_seconds = r."durationSeconds", hangup_cause = r."hangupCause", hangup_by = r."hangupBy", recording_url = r."recordingUrl",
        classification = r.classification, intent = r.intent, recognized_text = r."recognizedText", payload = r.payload,
        result_fields = r."resultFields", result_layers = r."resultLayers", reported_times = r."reportedTimes", opt_out = a.opt_out or r."optOut", accepted_at = coalesce(a.accepted_at, now()),
        result_at = coalesce(a.result_at, now()), result_hashes = r.hashes,
        is_line_fault = false, outcome = coalesce(e.outcome, a.outcome), evidence = coalesce(e.evidence, a.evidence)
      from result r left join ending e on e.id = r.id where a.id = r.id
      returning a.id, a.contact_id, a.caller_number, a.cell_id, a.recording_url is not null and a.duration_seconds > 0 and a.tested_by is null as is_recorded),
    recorded as (
      insert into recording_check (attempt_id, cell_id, due_at) select id, cell_id, now() + ${FIRST_LOOK} from ended where is_recorded
      on conflict (attempt_id) do nothing),
    spoken as (
      select * from jsonb_to_recordset(${json(segments)})
        as t("attemptId" bigint, position int, speaker text, text text, "startMs" float8, "endMs" float8, "nodeId" text)),
    replaced as (
      delete from transcript_segment s using (select distinct "attemptId" from spoken) t
      where s.attempt_id = t."attemptId" and s.source = 'captions' returning 1),
    said as (
      insert into transcript_segment (attempt_id, segment_id, position, speaker, text, start_ms, end_ms, node_id)
      select t."attemptId", t.position::text, t.position, t.speaker, t.text, round(t."startMs"), round(t."endMs"), t."nodeId"
      from spoken t
      where (select count(*) from replaced) >= 0
        and not exists (select 1 from transcript_segment where attempt_id = t."attemptId" and source = 'result')),
    moved as (${moveContacts(sql`c.status in ('submitted', 'failed', 'completed')`)})
    insert into outbox (kind, key, payload, due_at)
    select 'result_applied', r."requestId", jsonb_build_object('attemptId', r.id, 'campaignId', r."campaignId"), now() + ${OUTBOX_LEASE}
    from result r join ending e on e.id = r.id returning id, key as request_id`;
}

/** Ends consents, and lists the numbers: for each the last reason wins. No statement without opt-outs. */
export function addOptOuts(writes: readonly Pick<ResultWrite, 'attempt' | 'report'>[]): RawBuilder<unknown>[] {
  const asking = writes.filter(({ report }) => report.optOut);
  if (asking.length === 0) return [];
  const numbers = new Map(
    asking.map(({ attempt: { phoneNumber, dialKey }, report }) => [
      dialKey,
      { phoneNumber, dialKey, reason: report.optOutReason ?? '客户要求不再来电' },
    ]),
  );
  const revoked = asking.map(({ attempt: { requestId, phoneNumber, dialKey }, report }) => ({
    requestId,
    phoneNumber,
    dialKey,
    reason: report.optOutReason ?? '客户要求不再来电',
  }));
  return [
    ...revokeByCalls(revoked),
    sql`
    insert into do_not_call (phone_number, dial_key, reason, source, scope)
    select n."phoneNumber", n."dialKey", n.reason, 'callback', ${scopeOf(sql`n."dialKey"`)}
    from jsonb_to_recordset(${json([...numbers.values()])}) as n("phoneNumber" text, "dialKey" text, reason text) order by n."dialKey"
    on conflict (dial_key) do update set reason = excluded.reason, source = excluded.source, expires_at = null,
      scope = greatest(do_not_call.scope, excluded.scope)`,
  ];
}
