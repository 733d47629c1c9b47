import type { DialledNumbers } from '#outcomes/decisions/next-number.ts';
import { concludeAttempt, concludeResult, type Conclusion, speechOf } from '#outcomes/decisions/conclude-attempt.ts';
import { signalFacts } from '#outcomes/decisions/outcome.ts';
import { settledTimes } from '#outcomes/decisions/call-times.ts';
import { readReport, type ReportReading, resultOutcome } from '#outcomes/decisions/result-report.ts';
import { zonesOfContact } from '#contacts/contact.ts';
import { RUNTIME_UNAVAILABLE } from '#protocol/call-status.ts';
import { afterScriptless, scriptKey } from '#campaigns/decisions/campaign-states.ts';
import type { ResultOutcome, ResultReport, SettledDial } from '#outcomes/outcome-store.ts';
import { callbackEnd } from '#callbacks/decisions/callback-end.ts';
import { retryLimits } from './dial-limits.ts';
import { concludePromise, promise } from './dial-promises.ts';
import {
  type AttemptRow,
  changeNumber,
  contactOf,
  type ContactRow,
  type DialTables,
  enterConsent,
  freeNumbers,
  isListed,
  isOpen,
  listNumber,
  refreshBatches,
  updateAttempt,
} from './dial-tables.ts';
import type { DialStore } from '#dialling/dial-store.ts';

type OutcomeMethods = Pick<
  DialStore,
  'recordProgress' | 'recordEnd' | 'recordRingback' | 'settle' | 'settleUnknown' | 'applyResult' | 'keepCaptions'
>;

/** Same value as in outcomes/outbox.ts, ms. */
const FIRST_LEASE_MS = 10_000;

/** Mirrors outcomes/dial-progress.ts, dial-settle.ts and dial-result.ts. */
export function simulatedOutcomes(tables: DialTables): OutcomeMethods {
  const find = (requestId: string) => tables.byRequest.get(requestId);
  return {
    async recordProgress(calls) {
      for (const { requestId, replyText, answeredAt, heard } of calls) {
        const attempt = find(requestId);
        if (!attempt) continue;
        const isReply = replyText !== undefined && attempt.dialingAt !== null && (attempt.acceptedAt === null || attempt.replyText === '');
        const isAnswer = answeredAt !== undefined && ['dialing', 'accepted'].includes(attempt.status);
        const isHeard = heard !== undefined && ['dialing', 'accepted', 'answered'].includes(attempt.status);
        if (!isReply && !isAnswer && !isHeard) continue;
        const isNews = attempt.acceptedAt === null;
        const after = isAnswer ? 'answered' : 'accepted';
        updateAttempt(tables, attempt, {
          acceptedAt: attempt.acceptedAt ?? tables.now(),
          ...(isReply ? { replyText: attempt.replyText || replyText } : {}),
          ...(isAnswer ? { answeredAt: attempt.answeredAt ?? Math.max(answeredAt, attempt.startedAt ?? answeredAt) } : {}),
          status: isAnswer || attempt.status === 'dialing' ? after : attempt.status,
          ...(isHeard ? { heardRuntime: heard === false ? null : heard, heardAt: tables.now() } : {}),
        });
        if (isNews) refreshBatches(tables, [attempt.batchId]);
      }
    },
    async recordEnd(requestId, endedAt) {
      const attempt = find(requestId);
      if (!attempt || attempt.resultAt === null || attempt.endedAt === null || attempt.endedAt >= endedAt) return;
      const laterMs = endedAt - attempt.endedAt;
      const contact = contactOf(tables, attempt);
      updateAttempt(tables, attempt, { endedAt });
      if (contact.lastAttemptId === attempt.id && contact.status === 'failed' && contact.retryAt !== null) contact.retryAt += laterMs;
    },
    async recordRingback(requestId, ringback, callStatus) {
      const attempt = find(requestId);
      if (!attempt) return;
      const shows = ['dialing', 'accepted', 'answered'].includes(attempt.status) && callStatus !== null;
      updateAttempt(tables, attempt, { ringback, ...(shows ? { callStatus } : {}) });
    },
    async settle(outcomes) {
      const settled = new Set<string>();
      for (const outcome of outcomes) if (settle(tables, outcome)) settled.add(outcome.requestId);
      return outcomes.map(({ requestId }) => ({ requestId, settled: settled.has(requestId) }));
    },
    async settleUnknown(outcome) {
      const attempt = find(outcome.requestId);
      if (attempt?.status !== 'outcome_unknown' || attempt.resultAt !== null) return null;
      end(tables, attempt, outcome, 'failed');
      return { campaignId: attempt.campaignId };
    },
    applyResult: async report => applyResult(tables, report),
    async keepCaptions(requestId, captions) {
      const attempt = find(requestId);
      if (!attempt || attempt.answeredAt === null || attempt.transcript.length > 0) return;
      const kept = new Map([...attempt.captions, ...captions.map(({ segmentId, text }) => [segmentId, text] as const)]);
      updateAttempt(tables, attempt, { captions: kept });
    },
  };
}

function settle(tables: DialTables, outcome: SettledDial): boolean {
  const attempt = tables.byRequest.get(outcome.requestId);
  if (!attempt || !isOpen(attempt)) return false;
  end(tables, attempt, outcome, 'submitted');
  freeNumbers(tables, [attempt.dialKey]);
  return true;
}

/** Ends an attempt. `unmoved`: the contact's status if nothing has changed it since the dial. */
function end(tables: DialTables, attempt: AttemptRow, outcome: SettledDial, unmoved: ContactRow['status']): void {
  const contact = contactOf(tables, attempt);
  const { answeredAt, endedAt } = settledTimes(attempt, outcome, tables.now());
  const { attemptCount, silentRepeats } = contact;
  const isLineDead = (tables.campaigns.get(attempt.campaignId)?.breaker?.kind ?? 'closed') !== 'closed';
  const served = { isUnserved: answeredAt !== null, unservedBefore: unservedBefore(tables, attempt) };
  const ended = { ...outcome, ...served, attemptCount, silentRepeats, isLineDead, endedAt };
  const { ruled, zone, ...limits } = retryLimits(tables, attempt.campaignId);
  const { startedAt, classification, optOut } = attempt;
  const said = { ...signalFacts(outcome, startedAt), ...speechOf([]), cause: outcome.hangupCause, reported: null, ringback: null };
  const becomes = concludeAttempt({
    attemptId: attempt.id,
    ended: { ...ended, ...limits },
    ruled,
    contact: {
      ...contact,
      zones: zonesOfContact(contact.zones, zone),
      earlierOutcome: attempt.outcome,
      ...numbersOf(tables, contact, attempt),
    },
    facts: { ...said, startedAt, answeredAt, classification, optOut },
  });
  if (becomes.isListed) listNumber(tables, attempt.dialKey);
  const isUncounted = attempt.acceptedAt === null;
  updateAttempt(tables, attempt, {
    status: outcome.status,
    outcome: becomes.outcome,
    isOurFault: outcome.isOurFault === true && !becomes.isCounted,
    isLineFault: becomes.isLineFault,
    callStatus: outcome.callStatus ?? attempt.callStatus,
    hangupCause: outcome.hangupCause ?? attempt.hangupCause,
    hangupBy: outcome.hangupBy ?? attempt.hangupBy,
    replyText: outcome.replyText || attempt.replyText,
    endedAt,
    answeredAt,
    acceptedAt: answeredAt === null ? attempt.acceptedAt : (attempt.acceptedAt ?? tables.now()),
    durationSeconds: answeredAt === null ? 0 : Math.max(0, Math.floor((endedAt - answeredAt) / 1_000)),
  });
  if (contact.status === unmoved) moveContact(contact, attempt, becomes);
  changeNumbers(contact, attempt, becomes);
  concludePromise(tables, attempt, callbackEnd({ callStatus: outcome.callStatus, isCounted: becomes.isCounted, endedAt }));
  if (isUncounted) refreshBatches(tables, [attempt.batchId]);
}

function numbersOf(tables: DialTables, { numbers }: ContactRow, { dialKey }: AttemptRow): Required<DialledNumbers> {
  return { dialKey, numbers: numbers.map(number => ({ ...number, isListed: isListed(tables, number.dialKey) })) };
}

function changeNumbers(contact: ContactRow, attempt: AttemptRow, { number }: Conclusion): void {
  if (number !== null) changeNumber(contact, number, contact.lastAttemptId === attempt.id);
}

function unservedBefore({ attempts }: DialTables, { id, contactId }: AttemptRow): number {
  const isUnserved = (one: AttemptRow) => one.status === 'failed' && one.hangupCause === RUNTIME_UNAVAILABLE;
  return attempts.filter(one => one.contactId === contactId && one.id < id && isUnserved(one)).length;
}

function moveContact(contact: ContactRow, attempt: AttemptRow, becomes: Conclusion): void {
  if (contact.lastAttemptId !== attempt.id) return;
  const { contactStatus, retryAt, restsUntil, isUnreachable, isCounted, silentRepeats, outcomeCounts, partsTried, mailboxText } = becomes;
  const attemptCount = Math.max(0, contact.attemptCount - Number(!isCounted));
  Object.assign(contact, {
    status: contactStatus,
    retryAt,
    lastCallerNumber: attempt.callerNumber,
    attemptCount,
    silentRepeats,
    outcomeCounts,
    partsTried,
    mailboxText: isCounted ? mailboxText : contact.mailboxText,
  });
  if (isUnreachable) Object.assign(contact, { holdReason: 'invalid_number', holdUntil: null });
  else if (restsUntil !== null) Object.assign(contact, { holdReason: 'retry_wait', holdUntil: restsUntil });
  else if (contact.holdReason === 'invalid_number') contact.holdReason = null;
}

/** The simulated campaigns run no scripts. */
const NO_SCRIPT_FIELDS = { declared: [], zone: 'Asia/Shanghai' };

function applyResult(tables: DialTables, report: ResultReport): ResultOutcome {
  const attempt =
    report.requestId === null ? tables.attempts.find(({ id }) => id === report.attemptId) : tables.byRequest.get(report.requestId);
  if (!attempt) return { kind: 'not_found' };
  const reading = readReport({ ...attempt, ...NO_SCRIPT_FIELDS }, report, tables.now());
  if (reading.kind === 'duplicate') return resultOutcome(attempt, reading, null);
  const outboxId = reading.kind === 'first' ? moveByResult(tables, attempt, reading, report) : null;
  // The decision about the contact has read the list before, as in the store's one transaction.
  if (report.optOut) {
    listNumber(tables, attempt.dialKey);
    enterConsent(tables, attempt.dialKey, { kind: 'revoked', purpose: '', at: tables.now() });
  }
  const isUncounted = attempt.acceptedAt === null;
  const { status, fields, hashes } = reading;
  updateAttempt(tables, attempt, {
    ...fields,
    status,
    isLineFault: false,
    hashes: [...hashes],
    optOut: attempt.optOut || report.optOut,
    acceptedAt: attempt.acceptedAt ?? tables.now(),
    resultAt: attempt.resultAt ?? tables.now(),
    transcript: said(attempt, report),
    ...(report.transcript.length > 0 ? { captions: new Map() } : {}),
  });
  if (outboxId !== null && isUncounted) refreshBatches(tables, [attempt.batchId]);
  if (outboxId !== null) freeNumbers(tables, [attempt.dialKey]);
  return resultOutcome(attempt, reading, outboxId);
}

/** Updates contact, campaign and outbox after the first report; returns the id of the outbox row. */
function moveByResult(
  tables: DialTables,
  attempt: AttemptRow,
  reading: Extract<ReportReading, { kind: 'first' }>,
  report: ResultReport,
): number {
  const now = tables.now();
  const contact = contactOf(tables, attempt);
  const { fields, isScriptless, overAt, callback } = reading;
  const { optOut } = report;
  const { ruled, zone, ...limits } = retryLimits(tables, attempt.campaignId);
  const known = { id: attempt.id, attemptCount: contact.attemptCount, ringback: null };
  const zones = zonesOfContact(contact.zones, zone);
  const history = { ...contact, zones, earlierOutcome: attempt.outcome, ...numbersOf(tables, contact, attempt) };
  const becomes = concludeResult({ attempt: known, report, reading, limits, ruled, contact: history });
  attempt.outcome = becomes.outcome;
  if (becomes.isListed) listNumber(tables, attempt.dialKey);
  if (['submitted', 'failed', 'completed'].includes(contact.status)) moveContact(contact, attempt, becomes);
  changeNumbers(contact, attempt, becomes);
  const { isCounted } = becomes;
  concludePromise(tables, attempt, callbackEnd({ callStatus: fields.callStatus, isCounted, endedAt: overAt }));
  if (callback !== null && !optOut) promise(tables, contact, callback);
  const campaign = tables.campaigns.get(attempt.campaignId);
  if (campaign) campaign.scriptless = isScriptless ? afterScriptless(campaign.scriptless ?? null, scriptKey(null), now) : null;
  const id = tables.nextOutboxId++;
  const payload = { attemptId: attempt.id, campaignId: attempt.campaignId };
  tables.outbox.set(id, { id, kind: 'result_applied', key: attempt.requestId, payload, dueAt: now + FIRST_LEASE_MS });
  return id;
}

/** Keeps the first transcript: a later report never replaces or extends it. */
function said(attempt: AttemptRow, { transcript }: ResultReport): readonly string[] {
  return attempt.transcript.length > 0 ? attempt.transcript : transcript.map(segment => segment.text);
}
