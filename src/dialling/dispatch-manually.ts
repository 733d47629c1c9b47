import type { AttemptStatus, RingbackDetection } from '#attempts/attempt.ts';
import type { Batch } from '#attempts/batch.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { hasFlow, NO_SCRIPT_TEXT } from '#campaigns/decisions/campaign-states.ts';
import { SKIP_REASON_TEXTS } from '#campaigns/decisions/skip-reason.ts';
import type { ContactStore } from '#contacts/contact.ts';
import type { Caller } from '#kernel/caller.ts';
import { sleep } from '#kernel/clock.ts';
import { CalloutError, conflict, notFound } from '#kernel/errors.ts';
import { WINDOW_TEXTS } from '#policies/decisions/calling-window.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import { askFirst } from './ask-first.ts';
import { claimDials, type ClaimedBatch } from './claim.ts';
import { type Assessment, assessPlan } from './decisions/assess.ts';
import type { ClaimedDial, DialPlan, DialsPart } from './dial-store.ts';
import { dialAll, type DialResult } from './dial.ts';
import { listenForRingback, type RingbackListener } from './ringback.ts';
import { requireDialAllowed } from './send.ts';
import type { TurnApp } from './turn.ts';

/**
 * Stops a running batch: undialled claims are withdrawn, calls continue.
 *
 * Errors: NOT_FOUND; CONFLICT when it is not running
 * Source: OCS §3 "Batch", 4.8, D7.3
 */
export async function cancelBatch(
  app: DialsPart & SlotsPart & AuditPart,
  caller: Caller,
  campaignId: number,
  batchId: number,
): Promise<Batch> {
  const outcome = await app.dials.cancelBatch(campaignId, batchId);
  if (outcome === 'not_found') throw notFound('批次');
  if (outcome === 'not_running') throw conflict('BATCH_NOT_RUNNING', '批次不在运行中，不能取消');
  // If the cache is down, the leases of these slots expire by themselves.
  await app.slots.release(outcome.cancelledRequestIds).catch(() => 0);
  await audit(app, caller, {
    action: 'batch.cancelled',
    targetType: 'batch',
    targetId: batchId,
    summary: `取消批次 ${batchId}`,
    detail: { campaignId, returned: outcome.cancelledRequestIds.length },
  });
  return outcome.batch;
}

export interface ManualDispatchApp extends Omit<TurnApp, 'campaignHost'>, AuditPart {
  contacts: Pick<ContactStore, 'count'>;
}

/** OCS 2.8. */
export interface DispatchResult {
  campaignId: number;
  batchId: number | null;
  requestedLimit: number;
  effectiveLimit: number;
  requested: number;
  submitted: number;
  failed: number;
  remainingPending: number;
  campaignStatus: string;
  /** Why fewer were dialled than slots allow, or none, in Chinese; null when the list was simply shorter than requested. */
  reason: string | null;
  attempts: DispatchedAttempt[];
}

export interface DispatchedAttempt {
  contactId: number;
  phoneNumber: string;
  attemptId: number;
  status: AttemptStatus;
  requestId: string;
  replyText: string;
  callStatus?: CallStatus;
  ringbackDetection?: RingbackDetection;
}

const LOCK_TRIES = 6;
const LOCK_PAUSE_MS = 50;
/** Beginning of a refusal's text. Source: OCS 4.8 rule 1 */
const FORBIDDEN = '当前外呼策略禁止调度';
const NOBODY_TEXT = '没有待呼叫的联系人';
const INVALID_NUMBER_TEXT = '号码无效，未拨出';

/**
 * Dispatches one batch at a user's request and returns the switch's reply to each dial.
 *
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; POLICY_FORBIDS; LOCK_CONTENDED; CACHE_UNAVAILABLE when lock or slots cannot be accessed;
 *         BUS_UNAVAILABLE; SERVER_STOPPING
 * Source: OCS 2.8, 4.8 rules 1–3, D7.4, D7.5
 */
export async function dispatchManually(
  app: ManualDispatchApp,
  caller: Caller,
  request: { campaignId: number; requestedLimit: number; effectiveLimit: number },
): Promise<DispatchResult> {
  const { campaignId } = request;
  requireDialAllowed(app.dialGate);
  const token = await acquireLock(app, campaignId);
  let claimed: { plan: DialPlan; batch: ClaimedBatch };
  let leftPending: number;
  try {
    claimed = await claimByHand(app, caller, request);
    leftPending = await countPending(app, campaignId);
  } finally {
    await app.locks
      .release(`campaign:${campaignId}`, token)
      .catch((error: unknown) => app.log.warn({ err: error, campaignId }, 'the lock could not be released; it expires by itself'));
  }
  const { plan, batch } = claimed;
  const idleReason = batch.batchId === null && batch.refusal === null ? await whyNobody(app, campaignId) : null;
  const [attempts] = await Promise.all([
    dialAndListen(app, plan, batch.dials),
    app.leftOut
      .record(plan, batch.dials)
      .catch((error: unknown) =>
        app.log.warn({ err: error, campaignId }, 'left-out variables were not recorded: the next batch records them'),
      ),
  ]);
  if (batch.batchId !== null) {
    await audit(app, caller, {
      action: 'campaign.dispatched',
      targetType: 'campaign',
      targetId: campaignId,
      summary: `手动调度活动「${plan.campaign.name}」`,
      detail: { batchId: batch.batchId, requested: batch.dials.length },
    });
  }
  const returned = attempts.filter(({ status }, index) => status === 'cancelled' && batch.dials[index]?.isRetry === false).length;
  const result = presentResult(request, plan, batch, attempts);
  return { ...result, reason: result.reason ?? idleReason, remainingPending: leftPending + returned };
}

/** Counted as in the contact list, including contacts on hold, while no one else claims. */
async function countPending(app: ManualDispatchApp, campaignId: number): Promise<number> {
  const [pending = 0] = await app.contacts.count([campaignId], { q: '', status: 'pending' });
  return pending;
}

/** Why no contact could be dialled, in Chinese; read after the claim, which puts refused contacts on hold. */
async function whyNobody({ dials }: ManualDispatchApp, campaignId: number): Promise<string> {
  const plan = await dials.loadPlan(campaignId);
  if (plan === null) throw notFound('活动');
  const { counts, nextHold } = plan;
  if (nextHold !== null && nextHold.reason !== 'retry_wait') return `联系人都在等待限制解除：${SKIP_REASON_TEXTS[nextHold.reason]}`;
  return nextHold !== null || counts.retryable > 0 ? SKIP_REASON_TEXTS.retry_wait : NOBODY_TEXT;
}

/** The scheduler holds the lock for milliseconds: a short wait saves the user a retry. */
async function acquireLock(app: ManualDispatchApp, campaignId: number): Promise<string> {
  for (let tries = 1; tries <= LOCK_TRIES; tries++) {
    const token = await app.locks.acquire(`campaign:${campaignId}`, app.settings.lockTtlMs);
    if (token !== null) return token;
    await sleep(app.clock, LOCK_PAUSE_MS);
  }
  throw new CalloutError('LOCK_CONTENDED', '活动正在调度中，请稍后重试');
}

async function claimByHand(
  app: ManualDispatchApp,
  caller: Caller,
  request: { campaignId: number; requestedLimit: number; effectiveLimit: number },
): Promise<{ plan: DialPlan; batch: ClaimedBatch }> {
  const plan = await app.dials.loadPlan(request.campaignId);
  if (plan === null) throw notFound('活动');
  if (plan.campaign.status === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能调度');
  const assessment = assessPlan(plan, app.settings);
  if (!hasFlow(plan)) throw new CalloutError('POLICY_FORBIDS', `${FORBIDDEN}：${NO_SCRIPT_TEXT}`);
  if (!assessment.mayDial) throw forbidden(assessment);
  const asked = await askFirst(app, plan, request.effectiveLimit);
  if (asked !== null && 'retryInMs' in asked) throw new CalloutError('POLICY_FORBIDS', `${FORBIDDEN}：${SKIP_REASON_TEXTS.pre_dial_hook}`);
  const batch = await claimDials(app, plan, assessment, {
    source: 'manual',
    requestedLimit: request.requestedLimit,
    effectiveLimit: asked?.limit ?? request.effectiveLimit,
    createdBy: caller.userId,
    verdicts: asked?.verdicts ?? null,
  });
  if (batch.isStale) throw new CalloutError('LOCK_CONTENDED', '活动正在调度中，请稍后重试');
  if (batch.refusal === 'cold' && batch.dials.length === 0) throw new CalloutError('CACHE_UNAVAILABLE', '共享缓存正在恢复，请稍后重试');
  return { plan, batch };
}

function forbidden({ windowDecision, verdict }: Assessment): CalloutError {
  const reason = windowDecision.cause === null ? verdict.reason : WINDOW_TEXTS[windowDecision.cause];
  return new CalloutError('POLICY_FORBIDS', `${FORBIDDEN}：${reason ?? '不在可呼时段内'}`);
}

async function dialAndListen(app: ManualDispatchApp, plan: DialPlan, dials: readonly ClaimedDial[]): Promise<DispatchedAttempt[]> {
  const timeoutMs = app.settings.ringbackTimeoutMs;
  const listener = timeoutMs === null ? null : listenForRingback(app, dials, timeoutMs);
  try {
    const results = await dialAll({ ...app, waitMs: app.settings.manualWaitMs }, plan, dials);
    return await Promise.all(results.map(result => dispatchedAttempt(result, listener)));
  } finally {
    listener?.stop();
  }
}

async function dispatchedAttempt({ dial, reply }: DialResult, listener: RingbackListener | null): Promise<DispatchedAttempt> {
  const base = attemptOf(dial, reply.kind === 'accepted' ? 'accepted' : statusOf(reply.kind), reply.replyText);
  if (listener === null || reply.kind !== 'accepted') return base;
  const { detection, callStatus } = await listener.firstProgress(dial.requestId);
  return { ...base, ringbackDetection: detection, ...(callStatus ? { callStatus } : {}) };
}

function statusOf(kind: DialResult['reply']['kind']): AttemptStatus {
  if (kind === 'refused') return 'failed';
  return kind === 'unknown' ? 'dialing' : 'cancelled';
}

function attemptOf(dial: ClaimedDial, status: AttemptStatus, replyText: string): DispatchedAttempt {
  const { contactId, phoneNumber, attemptId, requestId } = dial;
  return { contactId, phoneNumber, attemptId, status, requestId, replyText };
}

/** A cold registry that grants nothing is an error; if it granted something, its refusal does not matter. */
function reasonOf({ refusal }: ClaimedBatch): string | null {
  return refusal === null || refusal === 'cold' ? null : SKIP_REASON_TEXTS[refusal];
}

function presentResult(
  request: { campaignId: number; requestedLimit: number; effectiveLimit: number },
  plan: DialPlan,
  batch: ClaimedBatch,
  dialled: readonly DispatchedAttempt[],
): Omit<DispatchResult, 'remainingPending'> {
  const invalid = batch.invalid.map(
    (dial): DispatchedAttempt => ({ ...dial, status: 'failed', replyText: INVALID_NUMBER_TEXT, callStatus: 'invalid_number' }),
  );
  const attempts = [...dialled, ...invalid];
  const submitted = attempts.filter(attempt => attempt.status === 'accepted' || attempt.status === 'dialing').length;
  return {
    ...request,
    batchId: batch.batchId,
    requested: attempts.length,
    submitted,
    failed: attempts.filter(attempt => attempt.status === 'failed').length,
    campaignStatus: plan.campaign.status,
    reason: reasonOf(batch),
    attempts,
  };
}
