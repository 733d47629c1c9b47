import { decidePhase, type PhaseDecision } from '#rules/campaign-phase.ts';
import type { SlotRefusal as RuleRefusal, SlotSkipReason } from '#rules/skip-reason.ts';
import type { DialPlan } from '#ports/dial-store.ts';
import type { Locks } from '#ports/lock.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { SlotRefusal } from '#ports/slot-book.ts';
import type { CampaignHost } from '../campaigns/campaign-actor.ts';
import { type Assessment, assessPlan } from './assess.ts';
import { type ClaimDeps, type ClaimedBatch, claimDials, passOnSlots, slotCells } from './claim-dials.ts';
import { type DialDeps, dialAll } from './dial.ts';
import { tellLeftOut } from './left-out-variables.ts';

export interface TurnDeps extends ClaimDeps, DialDeps {
  locks: Locks;
  campaigns: CampaignHost;
  events: RuntimeEventStore;
}

export interface TurnOutcome {
  /** Calls that go on after the turn; the caller waits for them when it drains. */
  dialling: Promise<unknown>;
  claimed: number;
  /** Ask again at once: there was work and room. */
  goOn: boolean;
}

/** Only an event can change anything; should its wake be lost, the campaign is looked at after this, ms. */
const RECHECK_MS = 60_000;

const IDLE: TurnOutcome = { dialling: Promise.resolve(), claimed: 0, goOn: false };

/**
 * One look at one running campaign: plan, claim what may be dialled now, write what it waits for. The lock covers the plan and the claim alone.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: A6, D5.1
 */
export async function runTurn(deps: TurnDeps, campaignId: number): Promise<TurnOutcome> {
  // Its return wakes every campaign.
  if (!deps.runtime.isReachable()) return IDLE;
  const token = await deps.locks.acquire(`campaign:${campaignId}`, deps.settings.lockTtlMs);
  if (token === null) return IDLE;
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
  if (plan.campaign.status !== 'running' || !mayClaim(plan, assessment)) await passOnSlots(deps, plan, assessment);
  if (plan.campaign.status !== 'running') return IDLE;
  const { pending, retryable, active, held } = plan.counts;
  if (pending + retryable + active + held === 0) {
    await deps.campaigns.send(String(campaignId), { type: 'campaignDrained' }, `drained:${plan.at}`);
    return IDLE;
  }
  const batch = mayClaim(plan, assessment) ? await claimTurn(deps, plan, assessment) : null;
  await writePhase(deps, plan, assessment, batch);
  if (!batch) return IDLE;
  return {
    dialling: startDialling(deps, plan, batch),
    claimed: batch.dials.length,
    goOn: batch.isStale || (batch.dials.length > 0 && batch.refusal === null),
  };
}

function mayClaim(plan: DialPlan, assessment: Assessment): boolean {
  return assessment.mayDial && plan.counts.pending + plan.counts.dueRetries > 0;
}

function claimTurn(deps: TurnDeps, plan: DialPlan, assessment: Assessment): Promise<ClaimedBatch> {
  const limit = deps.settings.batchSize;
  return claimDials(deps, plan, assessment, { source: 'auto', requestedLimit: limit, effectiveLimit: limit, createdBy: null });
}

/** Dialling outlives the turn: pacing may spread it over seconds. */
function startDialling(deps: TurnDeps, plan: DialPlan, batch: ClaimedBatch): Promise<unknown> {
  if (batch.dials.length === 0) return Promise.resolve();
  return Promise.all([
    dialAll(deps, plan, batch.dials).catch((error: unknown) =>
      deps.log.error({ err: error, campaignId: plan.campaign.id }, 'dialling stopped; the reconciler takes over'),
    ),
    tellLeftOut(deps, plan, batch.dials),
  ]);
}

async function writePhase(deps: TurnDeps, plan: DialPlan, assessment: Assessment, batch: ClaimedBatch | null): Promise<void> {
  const decision = phaseAfter(deps, plan, assessment, batch);
  const { campaign } = plan;
  const nextWakeInMs = decision.nextWakeAt === null ? RECHECK_MS : Math.max(0, decision.nextWakeAt - plan.at);
  const isSame =
    campaign.phase === decision.phase && campaign.phaseReason === decision.phaseReason && campaign.nextWakeAt === decision.nextWakeAt;
  if (!isSame) await deps.dials.recordPhase(campaign.id, { phase: decision.phase, phaseReason: decision.phaseReason, nextWakeInMs });
}

function phaseAfter(deps: TurnDeps, plan: DialPlan, assessment: Assessment, batch: ClaimedBatch | null): PhaseDecision {
  const { campaign, counts, at, nextRetryAt } = plan;
  return decidePhase({
    status: campaign.status,
    at,
    window: assessment.windowDecision,
    policy: assessment.verdict,
    opensAt: assessment.opensAt,
    pendingCount: batch ? batch.remainingPending : counts.pending + counts.dueRetries,
    nextRetryAt,
    activeCalls: counts.active + (batch?.dials.length ?? 0),
    slotRefusal: ruleRefusal(batch?.refusal ?? null, at, batch?.retryInMs ?? null),
    isCellReachable: slotCells(plan, deps.switchPort.cells()).length > 0,
    monitorCapacity: null,
  });
}

function ruleRefusal(refusal: SlotRefusal | null, at: number, retryInMs: number | null): RuleRefusal | null {
  if (refusal === null) return null;
  // A cold book is rebuilt within seconds; until then it is as if no slot were free.
  const reason: SlotSkipReason = refusal === 'cold' ? 'campaign_full' : refusal;
  return { reason, nextEligibleAt: retryInMs === null ? null : at + retryInMs };
}
