import { scriptlessReason } from '#rules/scriptless-calls.ts';
import type { DialPlan } from '#ports/dial-store.ts';
import type { Locks } from '#ports/lock.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { CampaignHost } from '#operations/campaigns/campaign-actor.ts';
import { type CheckDeps, checkBreaker, type BreakerCheck, startProbe } from './breaker/check-breaker.ts';
import type { DialNotes } from './breaker/note-dials.ts';
import { blockedReason, tellBlocked, tellScriptless } from './breaker/tell-blocked.ts';
import { tellNoRuntime } from '#operations/runtimes/tell-runtimes.ts';
import { type Assessment, assessPlan } from './decisions/assess.ts';
import { type ClaimDeps, type ClaimedBatch, claimDials, passOnSlots } from './claim-dials.ts';
import { type DialDeps, type DialResult, dialAll } from './dial.ts';
import { tellLeftOut } from './left-out-variables.ts';
import type { DispatchSettings } from './settings.ts';
import { writePhase } from './write-phase.ts';

export interface TurnDeps extends ClaimDeps, DialDeps, CheckDeps {
  settings: DispatchSettings;
  notes: DialNotes;
  locks: Locks;
  campaigns: CampaignHost;
  events: RuntimeEventStore;
}

export interface TurnOutcome {
  /** Calls that go on after the turn; the caller waits for them when it drains. Never rejects. */
  dialling: Promise<unknown>;
  claimed: number;
  /** Ask again at once: there was work and room. */
  goOn: boolean;
  /** Somebody else has the campaign's lock, or died with it: nothing was looked at. */
  isLockedOut: boolean;
}

const IDLE: TurnOutcome = { dialling: Promise.resolve(), claimed: 0, goOn: false, isLockedOut: false };

/**
 * One look at one running campaign: plan, claim what may be dialled now, write what it waits for. The lock covers the plan and the claim alone.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: A6, D5.1
 */
export async function runTurn(deps: TurnDeps, campaignId: number): Promise<TurnOutcome> {
  // The return of the bus wakes every campaign.
  if (deps.gate.refusal()) return IDLE;
  const token = await deps.locks.acquire(`campaign:${campaignId}`, deps.settings.lockTtlMs);
  if (token === null) return { ...IDLE, isLockedOut: true };
  try {
    return await turnUnderLock(deps, campaignId);
  } finally {
    await deps.locks
      .release(`campaign:${campaignId}`, token)
      .catch((error: unknown) => deps.log.warn({ err: error, campaignId }, 'the lock ends by itself'));
  }
}

async function turnUnderLock(deps: TurnDeps, campaignId: number): Promise<TurnOutcome> {
  const plan = await deps.dials.loadPlan(campaignId);
  if (plan === null) return IDLE;
  const assessment = assessPlan(plan, deps.settings.timeZone);
  const scriptless = scriptlessReason(plan.scriptless, plan.script);
  const isDue = plan.campaign.status === 'running' && scriptless === null && mayClaim(plan, assessment);
  const breaker: BreakerCheck = isDue ? await checkBreaker(deps, campaignId) : { kind: 'free' };
  const isClaiming = isDue && breaker.kind !== 'wait';
  if (!isClaiming) await passOnSlots(deps, plan, assessment);
  if (plan.campaign.status !== 'running') return IDLE;
  const { pending, retryable, active, held } = plan.counts;
  if (pending + retryable + active + held === 0) {
    await deps.campaigns.send(String(campaignId), { type: 'campaignDrained' }, `drained:${plan.at}`);
    return IDLE;
  }
  const batch = isClaiming ? await claimTurn(deps, plan, assessment, breaker) : null;
  if (breaker.kind === 'wait') await block(deps, plan, breaker);
  if (scriptless !== null) await blockScriptless(deps, plan, scriptless);
  // Before anything that may fail: what was claimed and is forgotten would rest for its whole lease.
  const dialling = batch && startDialling(deps, plan, batch, breaker);
  const told = tellWait(deps, plan, batch).then(() => writePhase(deps, { plan, assessment, breaker, batch }));
  await told.catch((error: unknown) => {
    if (!batch || batch.dials.length === 0) throw error;
    deps.log.warn({ err: error, campaignId }, 'the phase of a campaign was not written: the next turn writes it');
  });
  if (!batch || !dialling) return IDLE;
  return {
    dialling,
    claimed: batch.dials.length,
    goOn: batch.isStale || (batch.dials.length > 0 && batch.refusal === null),
    isLockedOut: false,
  };
}

function mayClaim(plan: DialPlan, assessment: Assessment): boolean {
  return assessment.mayDial && plan.counts.pending + plan.counts.dueRetries > 0;
}

async function claimTurn(deps: TurnDeps, plan: DialPlan, assessment: Assessment, breaker: BreakerCheck): Promise<ClaimedBatch> {
  const { batchSize } = deps.settings;
  const limit = breaker.kind === 'probe' ? Math.min(batchSize, breaker.dials) : batchSize;
  const wish = { source: 'auto', requestedLimit: limit, effectiveLimit: limit, createdBy: null } as const;
  const batch = await claimDials(deps, plan, assessment, wish);
  if (breaker.kind === 'probe') {
    const requestIds = batch.dials.map(dial => dial.requestId);
    await startProbe(deps, plan.campaign.id, requestIds).catch((error: unknown) =>
      deps.log.warn({ err: error, campaignId: plan.campaign.id }, 'a try was not remembered: the next one decides'),
    );
  }
  return batch;
}

/** The first look at an opening raises the alert and takes back what was claimed and not dialled. */
async function block(deps: TurnDeps, plan: DialPlan, { openedAt, report }: Extract<BreakerCheck, { kind: 'wait' }>): Promise<void> {
  const { id, phaseReason } = plan.campaign;
  if (phaseReason === blockedReason(report)) return;
  await tellBlocked(deps, { campaignId: id, openedAt, report });
  await deps.slots.release(await deps.dials.cancelClaims(id, '活动呼叫大量失败，已暂停外呼'));
}

/** As `block`, for calls that were ended for want of a script; those that talk go on. */
async function blockScriptless(deps: TurnDeps, { campaign, scriptless }: DialPlan, reason: string): Promise<void> {
  if (scriptless === null || campaign.phaseReason === reason) return;
  await tellScriptless(deps, { campaignId: campaign.id, calls: scriptless, reason });
  await deps.slots.release(await deps.dials.cancelClaims(campaign.id, '没有可用话术，已停止外呼'));
}

/** The first look that finds no place at a runtime raises the alert. */
async function tellWait({ events }: TurnDeps, { campaign, at }: DialPlan, batch: ClaimedBatch | null): Promise<void> {
  const reason = batch?.refusal;
  if ((reason !== 'no_runtime' && reason !== 'runtime_full') || campaign.phase === 'WAITING_RUNTIME') return;
  await tellNoRuntime(events, { campaignId: campaign.id, businessCode: campaign.businessCode, reason, at });
}

/** Dialling outlives the turn: pacing may spread it over seconds. Never rejects: nobody would hear it. */
function startDialling(deps: TurnDeps, plan: DialPlan, batch: ClaimedBatch, breaker: BreakerCheck): Promise<unknown> {
  if (batch.dials.length === 0) return Promise.resolve();
  return Promise.all([
    dialAll(deps, plan, batch.dials).then(
      results => (breaker.kind === 'probe' ? noteUnsent(deps, plan, results) : undefined),
      (error: unknown) => deps.log.error({ err: error, campaignId: plan.campaign.id }, 'dialling stopped; the reconciler takes over'),
    ),
    tellLeftOut(deps, plan, batch.dials).catch((error: unknown) =>
      deps.log.warn({ err: error, campaignId: plan.campaign.id }, 'left-out variables were not told: the next batch tells them'),
    ),
  ]);
}

/** A dial of a try that never left decides nothing. */
function noteUnsent({ notes }: TurnDeps, plan: DialPlan, results: readonly DialResult[]): void {
  for (const { dial, reply } of results) {
    if (reply.kind === 'withdrawn' || reply.kind === 'not_sent') {
      notes.ended(plan.campaign.id, { requestId: dial.requestId, outcome: 'void', cause: null });
    }
  }
}
