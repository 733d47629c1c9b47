import { type RawBuilder, sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import { refreshBatches } from '#attempts/batch-store.ts';
import { concludeCallbacks } from '#callbacks/conclude-callbacks.ts';
import { callbackEnd } from '#callbacks/decisions/callback-end.ts';
import { isBreakerOpen } from '#campaigns/campaign-store.ts';
import { zonesOfContact } from '#contacts/contact.ts';
import type { Database } from '#platform/postgres/database.ts';
import { json, uuids } from '#platform/postgres/values.ts';
import { type Freed, freeNumbers, notifyFreed } from '#policies/holds.ts';
import { RUNTIME_UNAVAILABLE } from '#protocol/call-status.ts';
import { settledTimes } from './decisions/call-times.ts';
import type { Outcome } from '#attempts/decisions/evidence.ts';
import { type Conclusion, concludeAttempt, speechOf } from './decisions/conclude-attempt.ts';
import { signalFacts } from './decisions/outcome.ts';
import type { OutcomeCounts } from './decisions/decide-by-rules.ts';
import { limitsQuery, type LimitsRow, retryLimits } from './retry-limits.ts';
import { listByRule } from './rule-statements.ts';
import { isListed } from '#do-not-call/entry-conditions.ts';
import { changeNumbers, type ContactNumberChange } from '#contacts/contact-number-statements.ts';
import type { PersonNumber } from './decisions/next-number.ts';
import type { OutcomeStore, SettledDial } from './outcome-store.ts';

/** Column list for `jsonb_to_recordset`, named as in ContactOutcome. */
export const OUTCOME_COLUMNS = sql`"contactStatus" text, "retryAt" float8, "restsUntil" float8, "isUnreachable" boolean, "isCounted" boolean, "silentRepeats" int,
  "isLineFault" boolean, outcome text, evidence jsonb, "outcomeCounts" jsonb, "partsTried" int, "isListed" boolean, "mailboxText" text`;

/**
 * Updates the contacts of the attempts that `ended` returns (id, contact_id, caller_number) as `ending` decides (attempt id, OUTCOME_COLUMNS).
 *
 * Why: skips a contact that a user has moved meanwhile, or that has a later attempt
 */
export function moveContacts(isUnmoved: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    update contact c set status = e."contactStatus", retry_at = to_timestamp(e."retryAt" / 1000), last_caller_number = a.caller_number,
      attempt_count = greatest(0, c.attempt_count - case when e."isCounted" then 0 else 1 end), silent_repeats = e."silentRepeats",
      outcome_counts = e."outcomeCounts", parts_tried = e."partsTried",
      mailbox_text = case when e."isCounted" then e."mailboxText" else c.mailbox_text end,
      hold_reason = case when e."isUnreachable" then 'invalid_number' when e."restsUntil" is not null then 'retry_wait'
        when c.hold_reason = 'invalid_number' then null else c.hold_reason end,
      hold_until = case when e."isUnreachable" then null when e."restsUntil" is null then c.hold_until else to_timestamp(e."restsUntil" / 1000) end
    from ended a join ending e on e.id = a.id
    where c.id = a.contact_id and c.last_attempt_id = a.id and ${isUnmoved}`;
}

/** Facts about an attempt needed to end it. */
interface OpenRow {
  id: number;
  requestId: string;
  campaignId: number;
  contactId: number;
  dialKey: string;
  /** The contact's numbers in order; empty for a single one. */
  numbers: PersonNumber[];
  /** Null also when the batch has counted the accepted call already. */
  batchId: number | null;
  attemptCount: number;
  /** Number of earlier attempts of the contact that were answered and not served. */
  unservedBefore: number;
  silentRepeats: number;
  isLineDead: boolean;
  isPromised: boolean;
  /** Zones of the contact as stored. */
  zones: string | null;
  outcomeCounts: OutcomeCounts;
  partsTried: number;
  earlierOutcome: Outcome | null;
  ringback: string | null;
  classification: string | null;
  optOut: boolean;
  claimedAt: number | null;
  startedAt: number | null;
  answeredAt: number | null;
  now: number;
}

/** The end of an attempt and the resulting state of its contact. */
interface Ending extends SettledDial, Conclusion {
  id: number;
  contactId: number;
  endedAt: number;
  /** The contact had been promised a callback. */
  isPromised: boolean;
}

/**
 * Ends attempts without a runtime result; closed ones are unchanged.
 *
 * Source: D5.5, D7.1, D7.3, D7.8
 */
export function settleDials(db: Database, freed: Freed): OutcomeStore['settle'] {
  return async outcomes => {
    const { settled, waiting } = await db.hot.transaction(
      async tx => {
        const which = sql`a.request_id = any(${uuids(outcomes.map(outcome => outcome.requestId))})`;
        const [open, limits] = await tx.step(
          lockUnended(sql`${which} and ${OPEN}`, countUnserved(outcomes)),
          limitsQuery(sql`select a.campaign_id from attempt a where ${which}`),
        );
        const settled = new Set(open.map(row => row.requestId));
        if (open.length > 0) {
          const endings = decideEndings(outcomes, open, limits);
          const ended = endings.filter(({ isPromised }) => isPromised).map(ending => ({ attemptId: ending.id, ...callbackEnd(ending) }));
          const concluded = await concludeCallbacks(tx, ended);
          const [waiting] = await tx.last(
            freeNumbers(sql`select a.dial_key from attempt a where ${which}`),
            endAttempts(endings, sql`c.status = 'submitted'`),
            ...changeNumbers(numberChanges(endings)),
            ...concluded,
            ...listByRule(endings.flatMap(({ id, isListed }) => (isListed ? [id] : []))),
            ...refreshBatches(open.map(row => row.batchId)),
          );
          return { settled, waiting };
        }
        return { settled, waiting: [] };
      },
      { byKey: true },
    );
    notifyFreed(freed, waiting);
    return outcomes.map(({ requestId }) => ({ requestId, settled: settled.has(requestId) }));
  };
}

/**
 * Settles attempts of unknown outcome from the switch's call detail records.
 *
 * Source: D7.8
 */
export function settleUnknown(db: Database): OutcomeStore['settleUnknown'] {
  return outcome =>
    db.hot.transaction(
      async tx => {
        const which = sql`a.request_id = ${outcome.requestId}::uuid`;
        const [unknown, limits] = await tx.step(
          lockUnended(sql`${which} and a.status = 'outcome_unknown' and a.result_at is null`, countUnserved([outcome])),
          limitsQuery(sql`select a.campaign_id from attempt a where ${which}`),
        );
        const [attempt] = unknown;
        if (attempt === undefined) return null;
        const endings = decideEndings([outcome], unknown, limits);
        const listed = listByRule(endings.flatMap(({ id, isListed }) => (isListed ? [id] : [])));
        const numbers = changeNumbers(numberChanges(endings));
        await tx.last(endAttempts(endings, sql`c.status = 'failed'`), ...numbers, ...listed, ...refreshBatches([attempt.batchId]));
        return { campaignId: attempt.campaignId };
      },
      { byKey: true },
    );
}

/** For contacts with several numbers. */
export function numberChanges(endings: readonly (Pick<Conclusion, 'number'> & { id: number; contactId: number })[]): ContactNumberChange[] {
  return endings.flatMap(({ id, contactId, number }) => (number === null ? [] : [{ ...number, contactId, attemptId: id }]));
}

/** Needed only when the fault is ours. */
function countUnserved(outcomes: readonly SettledDial[]): RawBuilder<unknown> {
  if (!outcomes.some(({ isOurFault }) => isOurFault)) return sql`0`;
  return sql`(select count(*)::int from attempt u
     where u.contact_id = a.contact_id and u.id < a.id and u.status = 'failed' and u.hangup_cause = ${RUNTIME_UNAVAILABLE})`;
}

function lockUnended(which: RawBuilder<unknown>, unservedBefore: RawBuilder<unknown>): RawBuilder<OpenRow> {
  return sql<OpenRow>`
    select a.id, a.request_id, a.campaign_id, case when a.accepted_at is null then a.batch_id end as batch_id, c.attempt_count, c.silent_repeats,
      c.callback_at is not null as is_promised, ${HISTORY}, a.opt_out, ${isBreakerOpen(sql`a.campaign_id`)} as is_line_dead,
      a.claimed_at, a.started_at, a.answered_at, ${unservedBefore} as unserved_before, now() as now
    from attempt a join contact c on c.id = a.contact_id
    where ${which}
    order by a.id for no key update of a`;
}

function decideEndings(outcomes: readonly SettledDial[], open: readonly OpenRow[], limits: readonly LimitsRow[]): Ending[] {
  const limitsOf = retryLimits(limits);
  const outcomeOf = new Map(outcomes.toReversed().map(outcome => [outcome.requestId, outcome]));
  return open.flatMap(({ id, requestId, campaignId, contactId, isPromised, now, claimedAt, startedAt, answeredAt, ...known }) => {
    const outcome = outcomeOf.get(requestId);
    if (!outcome) return [];
    const times = settledTimes({ claimedAt, startedAt, answeredAt }, outcome, now);
    const { attemptCount, unservedBefore, silentRepeats, isLineDead } = known;
    const isUnserved = times.answeredAt !== null;
    const ended = { ...outcome, attemptCount, endedAt: times.endedAt, isUnserved, unservedBefore, silentRepeats, isLineDead };
    const limits = limitsOf(campaignId);
    const facts = {
      ...known,
      ...signalFacts(outcome, startedAt),
      ...speechOf([]),
      ...times,
      startedAt,
      cause: outcome.hangupCause,
      reported: null,
    };
    const contact = { ...known, zones: zonesOfContact(known.zones, limits.zone) };
    const conclusion = concludeAttempt({ attemptId: id, ended: { ...ended, ...limits }, facts, contact, ruled: limits.ruled });
    return [{ ...outcome, id, contactId, isPromised, ...times, ...conclusion }];
  });
}

/** Columns of the attempt (`a`) and its contact (`c`) that the decision needs. */
export const HISTORY = sql`c.zones, c.outcome_counts, c.parts_tried, a.outcome as earlier_outcome, a.ringback_detection ->> 'status' as ringback,
  a.classification, a.contact_id, a.dial_key, case when c.has_numbers then (
    select jsonb_agg(jsonb_build_object('dialKey', n.dial_key, 'verdict', n.verdict, 'isListed', ${isListed(sql`n.dial_key`)}) order by n.position)
    from contact_number n where n.contact_id = c.id) else '[]' end as numbers`;

function endAttempts(endings: readonly Ending[], isUnmoved: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with ending as (
      select e.*, to_timestamp(e."endedAt" / 1000) as ended_at, to_timestamp(e."answeredAt" / 1000) as answered_at
      from jsonb_to_recordset(${json(endings)}) as e(id bigint, status text, "callStatus" text, "hangupCause" text, "hangupBy" text,
        "replyText" text, "endedAt" float8, "answeredAt" float8, ${OUTCOME_COLUMNS})),
    ended as (
      update attempt a set status = e.status, call_status = coalesce(e."callStatus", a.call_status),
        hangup_cause = coalesce(e."hangupCause", a.hangup_cause), hangup_by = coalesce(e."hangupBy", a.hangup_by),
        reply_text = coalesce(nullif(e."replyText", ''), a.reply_text), is_line_fault = e."isLineFault", ended_at = e.ended_at,
        answered_at = e.answered_at, outcome = e.outcome, evidence = e.evidence,
        accepted_at = case when e.answered_at is not null then coalesce(a.accepted_at, now()) else a.accepted_at end,
        duration_seconds = coalesce(floor(extract(epoch from e.ended_at - e.answered_at)), 0)
      from ending e where a.id = e.id
      returning a.id, a.contact_id, a.caller_number)
    ${moveContacts(isUnmoved)}`;
}
