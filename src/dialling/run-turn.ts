import type { TurnFindings } from '#actors/campaign/events.ts';
import { isShown, mayClaim } from '#actors/campaign/obstacles.ts';
import type { DialPlan } from '#ports/dial-store.ts';
import { type CampaignHost, foundActor } from '#operations/campaigns/campaign-actor.ts';
import type { Ports } from '#ports/ports.ts';
import { type CheckDeps, checkBreaker, type BreakerCheck, startProbe } from './breaker/check-breaker.ts';
import type { DialNotes } from './breaker/note-dials.ts';
import { type Assessment, assessPlan } from './decisions/assess.ts';
import { type ClaimDeps, type ClaimedBatch, claimDials, passOnSlots } from './claim-dials.ts';
import { type DialDeps, type DialResult, dialAll } from './dial.ts';
import { recordLeftOut } from './left-out-variables.ts';
import type { DispatchSettings } from './settings.ts';
import { afterClaim, findingsOf } from './turn-findings.ts';

export interface TurnDeps extends ClaimDeps, DialDeps, CheckDeps, Pick<Ports, 'locks' | 'events'> {
  settings: DispatchSettings;
  notes: DialNotes;
  campaigns: CampaignHost;
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
  const found = findingsOf(deps, plan, assessment);
  const isDue = plan.campaign.status === 'running' && mayClaim(found);
  const breaker: BreakerCheck = isDue ? await checkBreaker(deps, campaignId) : { kind: 'free' };
  const isClaiming = isDue && breaker.kind !== 'wait';
  if (!isClaiming) await passOnSlots(deps, plan, assessment);
  if (plan.campaign.status !== 'running') return IDLE;
  const batch = isClaiming ? await claimTurn(deps, plan, assessment, breaker) : null;
  // Before anything that may fail: what was claimed and is forgotten would rest for its whole lease.
  const dialling = batch && startDialling(deps, plan, batch, breaker);
  await reportTurn(deps, plan, afterClaim(found, breaker, batch)).catch((error: unknown) => {
    if (!batch || batch.dials.length === 0) throw error;
    deps.log.warn({ err: error, campaignId }, 'a campaign was not notified of its turn: the next one notifies it');
  });
  if (!batch || !dialling) return IDLE;
  return {
    dialling,
    claimed: batch.dials.length,
    goOn: batch.isStale || (batch.dials.length > 0 && batch.refusal === null),
    isLockedOut: false,
  };
}

/** The campaign decides what the findings mean; what it shows already is no news, and of a campaign that has changed since they say nothing. */
async function reportTurn({ campaigns, ids }: TurnDeps, { campaign, actorVersion }: DialPlan, found: TurnFindings): Promise<void> {
  const seen = foundActor(campaign, actorVersion);
  if (isShown(campaign.phase, seen.state.context, found)) return;
  await campaigns.sendIfUnchanged(String(campaign.id), { type: 'turnTaken', found }, `turn:${ids()}`, seen);
}

async function claimTurn(deps: TurnDeps, plan: DialPlan, assessment: Assessment, breaker: BreakerCheck): Promise<ClaimedBatch> {
  const { batchSize } = deps.settings;
  const limit = breaker.kind === 'probe' ? Math.min(batchSize, breaker.dials) : batchSize;
  const order = { source: 'auto', requestedLimit: limit, effectiveLimit: limit, createdBy: null } as const;
  const batch = await claimDials(deps, plan, assessment, order);
  if (breaker.kind === 'probe') {
    const requestIds = batch.dials.map(dial => dial.requestId);
    await startProbe(deps, plan.campaign.id, requestIds).catch((error: unknown) =>
      deps.log.warn({ err: error, campaignId: plan.campaign.id }, 'a try was not remembered: the next one decides'),
    );
  }
  return batch;
}

/** Dialling outlives the turn: pacing may spread it over seconds. Never rejects: nobody would hear it. */
function startDialling(deps: TurnDeps, plan: DialPlan, batch: ClaimedBatch, breaker: BreakerCheck): Promise<unknown> {
  if (batch.dials.length === 0) return Promise.resolve();
  return Promise.all([
    dialAll(deps, plan, batch.dials).then(
      results => (breaker.kind === 'probe' ? noteUnsent(deps, plan, results) : undefined),
      (error: unknown) => deps.log.error({ err: error, campaignId: plan.campaign.id }, 'dialling stopped; the reconciler takes over'),
    ),
    recordLeftOut(deps, plan, batch.dials).catch((error: unknown) =>
      deps.log.warn({ err: error, campaignId: plan.campaign.id }, 'left-out variables were not recorded: the next batch records them'),
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
