import { firstResult, laterResult, resultStatus } from '#dialling/decisions/result-report.ts';
import { decideRetry, spare } from '#dialling/decisions/retry.ts';
import { afterScriptless, scriptKey } from '#rules/scriptless-calls.ts';
import type { DialStore, ResultOutcome, ResultReport, SettledDial } from '#ports/dial-store.ts';
import { retryLimits } from './dial-limits.ts';
import { type AttemptRow, contactOf, type DialTables, isOpen, refreshBatches, updateAttempt } from './dial-tables.ts';

type OutcomeMethods = Pick<DialStore, 'recordAccepted' | 'recordRingback' | 'recordAnswered' | 'settle' | 'applyResult'>;
type HashOfReport = (report: ResultReport) => string;

const MAX_HASHES = 8;
/** As dialling/postgres/outbox.ts, ms. */
const FIRST_LEASE_MS = 10_000;

/** as dialling/postgres/dial-progress.ts, dial-settle.ts and dial-result.ts. */
export function simulatedOutcomes(tables: DialTables, hashOf: HashOfReport): OutcomeMethods {
  const find = (requestId: string) => tables.byRequest.get(requestId);
  return {
    async recordAccepted(replies) {
      for (const { requestId, replyText } of replies) {
        const attempt = find(requestId);
        if (!attempt || attempt.dialingAt === null || (attempt.acceptedAt !== null && attempt.replyText !== '')) continue;
        const isNews = attempt.acceptedAt === null;
        updateAttempt(tables, attempt, {
          acceptedAt: attempt.acceptedAt ?? tables.now(),
          replyText: attempt.replyText || replyText,
          status: attempt.status === 'dialing' ? 'accepted' : attempt.status,
        });
        if (isNews) refreshBatches(tables, [attempt.batchId]);
      }
    },
    async recordAnswered(answers) {
      for (const { requestId, answeredAt } of answers) {
        const attempt = find(requestId);
        if (attempt?.status !== 'dialing' && attempt?.status !== 'accepted') continue;
        const isNews = attempt.acceptedAt === null;
        updateAttempt(tables, attempt, {
          status: 'answered',
          answeredAt: attempt.answeredAt ?? answeredAt,
          acceptedAt: attempt.acceptedAt ?? tables.now(),
        });
        if (isNews) refreshBatches(tables, [attempt.batchId]);
      }
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
    applyResult: async report => applyResult(tables, report, hashOf),
  };
}

function settle(tables: DialTables, outcome: SettledDial): boolean {
  const attempt = tables.byRequest.get(outcome.requestId);
  if (!attempt || !isOpen(attempt)) return false;
  const contact = contactOf(tables, attempt);
  const endedAt = outcome.endedAt ?? tables.now();
  const limits = retryLimits(tables, attempt.campaignId);
  const { callStatus, isOurFault = false, isResultMissing = false } = outcome;
  const retry = decideRetry({ callStatus, attemptCount: contact.attemptCount, endedAt, isOurFault, isResultMissing, ...limits });
  const answeredAt = attempt.answeredAt ?? outcome.answeredAt;
  const isUncounted = attempt.acceptedAt === null;
  updateAttempt(tables, attempt, {
    status: outcome.status,
    isOurFault,
    callStatus: outcome.callStatus ?? attempt.callStatus,
    hangupCause: outcome.hangupCause ?? attempt.hangupCause,
    hangupBy: outcome.hangupBy ?? attempt.hangupBy,
    replyText: outcome.replyText || attempt.replyText,
    endedAt,
    answeredAt,
    acceptedAt: answeredAt === null ? attempt.acceptedAt : (attempt.acceptedAt ?? tables.now()),
    durationSeconds: answeredAt === null ? 0 : Math.max(0, Math.floor((endedAt - answeredAt) / 1_000)),
  });
  if (contact.lastAttemptId === attempt.id && contact.status === 'submitted') {
    const attemptCount = Math.max(0, contact.attemptCount - Number(isOurFault));
    Object.assign(contact, {
      status: retry.contactStatus,
      retryAt: retry.retryAt,
      lastCallerNumber: attempt.callerNumber,
      attemptCount,
    });
  }
  if (isUncounted) refreshBatches(tables, [attempt.batchId]);
  return true;
}

function applyResult(tables: DialTables, report: ResultReport, hashOf: HashOfReport): ResultOutcome {
  const attempt =
    report.requestId === null ? tables.attempts.find(({ id }) => id === report.attemptId) : tables.byRequest.get(report.requestId);
  if (!attempt) return { kind: 'not_found' };
  const { id: attemptId, requestId, campaignId } = attempt;
  const answer = { kind: 'applied', attemptId, requestId, campaignId } as const;
  const hash = hashOf(report);
  if (attempt.hashes.includes(hash)) return { ...answer, status: attempt.status, duplicate: true, conflicts: [], outboxId: null };
  if (report.optOut) tables.doNotCall.set(attempt.dialKey, { expiresAt: null });
  const hashes = [...attempt.hashes, hash].slice(-MAX_HASHES);
  if (attempt.hashes.length > 0) {
    const { fields, conflicts } = laterResult(attempt, report);
    updateAttempt(tables, attempt, { ...fields, hashes, optOut: attempt.optOut || report.optOut, transcript: said(attempt, report) });
    return { ...answer, status: attempt.status, duplicate: false, conflicts, outboxId: null };
  }
  const outboxId = applyFirst(tables, { attempt, report, hashes });
  return { ...answer, status: attempt.status, duplicate: false, conflicts: [], outboxId };
}

/** The first report wins also over an end that was only inferred. */
function applyFirst(
  tables: DialTables,
  { attempt, report, hashes }: { attempt: AttemptRow; report: ResultReport; hashes: string[] },
): number {
  const now = tables.now();
  const fields = firstResult(attempt, report, now);
  const status = resultStatus(fields.callStatus);
  const contact = contactOf(tables, attempt);
  const limits = retryLimits(tables, attempt.campaignId);
  const endedAt = fields.endedAt ?? now;
  const isScriptless = report.endReason === 'no_script';
  const fate = isScriptless
    ? spare({ endedAt, ...limits })
    : { ...decideRetry({ callStatus: fields.callStatus, attemptCount: contact.attemptCount, endedAt, ...limits }), restsUntil: null };
  const isUncounted = attempt.acceptedAt === null;
  updateAttempt(tables, attempt, {
    ...fields,
    status,
    hashes,
    optOut: attempt.optOut || report.optOut,
    acceptedAt: attempt.acceptedAt ?? now,
    resultAt: now,
    transcript: said(attempt, report),
  });
  if (contact.lastAttemptId === attempt.id && ['submitted', 'failed', 'completed'].includes(contact.status))
    Object.assign(contact, {
      status: fate.contactStatus,
      retryAt: fate.retryAt,
      lastCallerNumber: attempt.callerNumber,
      ...(fate.restsUntil === null
        ? {}
        : { attemptCount: Math.max(0, contact.attemptCount - 1), holdReason: 'retry_wait', holdUntil: fate.restsUntil }),
    });
  const campaign = tables.campaigns.get(attempt.campaignId);
  if (campaign) campaign.scriptless = isScriptless ? afterScriptless(campaign.scriptless ?? null, scriptKey(null), now) : null;
  const id = tables.nextOutboxId++;
  const payload = { attemptId: attempt.id, campaignId: attempt.campaignId };
  tables.outbox.set(id, { id, kind: 'result_applied', key: attempt.requestId, payload, dueAt: now + FIRST_LEASE_MS });
  if (isUncounted) refreshBatches(tables, [attempt.batchId]);
  return id;
}

/** A later report never mixes its transcript into the first one. */
function said(attempt: AttemptRow, { transcript }: ResultReport): readonly string[] {
  return attempt.transcript.length > 0 ? attempt.transcript : transcript.map(segment => segment.text);
}
