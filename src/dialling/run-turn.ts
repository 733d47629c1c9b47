import type { TurnFindings } from '#actors/campaign/events.ts';
import { isSameCampaign, phaseOf } from '#actors/campaign/context.ts';
import { claimLimit, isShown } from '#actors/campaign/obstacles.ts';
import { type CampaignHost, foundActor } from '#campaigns/campaign-actor.ts';
import type { Platform } from '#platform/platform.ts';
import { type Assessment, assessPlan } from './decisions/assess.ts';
import { type ClaimDeps, type ClaimedBatch, claimDials, passOnSlots } from './claim-dials.ts';
import { type DialDeps, type DialResult, dialAll } from './dial.ts';
import type { DialNotes } from '#calls/switch-events.ts';
import type { LeftOutVariables } from './left-out-variables.ts';
import type { DispatchSettings } from './settings.ts';
import { afterClaim, findingsOf } from './turn-findings.ts';
import type { DialPlan } from './dial-store.ts';

export interface TurnDeps extends ClaimDeps, DialDeps, Pick<Platform, 'locks'> {
  settings: DispatchSettings;
  notes: DialNotes;
  leftOut: LeftOutVariables;
  campaigns: CampaignHost;
}

type SeenCampaign = ReturnType<typeof foundActor>;

/** Input of a turn, read before it claims. */
interface TurnInput {
  plan: DialPlan;
  assessment: Assessment;
  found: TurnFindings;
  seen: SeenCampaign;
}

export interface TurnOutcome {
  /** Calls that continue after the turn; the caller awaits them during a drain. Never rejects. */
  dialling: Promise<unknown>;
  claimed: number;
  /** Take another turn at once: there was work and capacity. */
  goOn: boolean;
  /** The campaign's lock is held by another instance, or by a crashed one: nothing was read. */
  isLockedOut: boolean;
}

const IDLE: TurnOutcome = { dialling: Promise.resolve(), claimed: 0, goOn: false, isLockedOut: false };

/**
 * A turn of a running campaign: plans, claims what may be dialled now, and records what it waits for. The lock covers only plan and claim.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: A6, D5.1
 */
export async function runTurn(deps: TurnDeps, campaignId: number): Promise<TurnOutcome> {
  // When the bus returns, every campaign is woken.
  if (deps.gate.refusal()) return IDLE;
  const token = await deps.locks.acquire(`campaign:${campaignId}`, deps.settings.lockTtlMs);
  if (token === null) return { ...IDLE, isLockedOut: true };
  try {
    return await turnUnderLock(deps, campaignId);
  } finally {
    await deps.locks
      .release(`campaign:${campaignId}`, token)
      .catch((error: unknown) => deps.log.warn({ err: error, campaignId }, 'the lock could not be released; it expires by itself'));
  }
}

async function turnUnderLock(deps: TurnDeps, campaignId: number): Promise<TurnOutcome> {
  const plan = await deps.dials.loadPlan(campaignId);
  if (plan === null) return IDLE;
  const assessment = assessPlan(plan, deps.settings);
  const input: TurnInput = { plan, assessment, found: findingsOf(deps, plan, assessment), seen: foundActor(plan) };
  const isRunning = plan.campaign.status === 'running';
  const limit = isRunning ? claimLimit(input.found, input.seen.state.context, deps.settings.breaker) : 0;
  if (limit !== 0) return claimTurn(deps, input, limit);
  await passOnSlots(deps, plan, assessment);
  if (isRunning) await reportTurn(deps, input, input.found);
  return IDLE;
}

/** `limit` null: not a probe, limited only by the batch size. */
async function claimTurn(deps: TurnDeps, input: TurnInput, limit: number | null): Promise<TurnOutcome> {
  const { plan, assessment, found } = input;
  const { batchSize, breaker } = deps.settings;
  const dials = Math.min(batchSize, limit ?? batchSize);
  const order = { source: 'auto', requestedLimit: dials, effectiveLimit: dials, createdBy: null } as const;
  const batch = await claimDials(deps, plan, assessment, order);
  // Started before anything that may fail: forgotten claims would be blocked for their whole lease.
  const dialling = startDialling(deps, plan, batch, limit !== null);
  const claimed = batch.dials.length;
  await reportTurn(deps, input, afterClaim(found, batch, limit === null ? null : breaker.windowMs)).catch((error: unknown) => {
    if (claimed === 0) throw error;
    deps.log.warn(
      { err: error, campaignId: plan.campaign.id },
      'the turn of a campaign could not be reported; the next turn will report it',
    );
  });
  return { dialling, claimed, goOn: batch.isStale || (claimed > 0 && batch.refusal === null), isLockedOut: false };
}

/** Reports the findings to the campaign's actor, unless it shows them already; findings about an outdated state are dropped. */
async function reportTurn({ campaigns, ids }: TurnDeps, { plan, seen }: TurnInput, found: TurnFindings): Promise<void> {
  if (isShown(phaseOf(seen.state.value), seen.state.context, found)) return;
  const id = String(plan.campaign.id);
  const report = (as: SeenCampaign) => campaigns.sendIfUnchanged(id, { type: 'turnTaken', found }, `turn:${ids()}`, as);
  if ((await report(seen)) !== null) return;
  const now = await campaigns.find(id);
  // Only the breaker's counts have changed meanwhile: the findings are still valid.
  if (now && isSameCampaign(now.state, seen.state)) await report(now);
}

/** Dialling outlives the turn, because pacing may spread it over seconds. Never rejects: no caller would handle it. */
function startDialling(deps: TurnDeps, plan: DialPlan, batch: ClaimedBatch, isProbe: boolean): Promise<unknown> {
  if (batch.dials.length === 0) return Promise.resolve();
  return Promise.all([
    dialAll(deps, plan, batch.dials).then(
      results => (isProbe ? noteUnsent(deps, plan, results) : undefined),
      (error: unknown) => deps.log.error({ err: error, campaignId: plan.campaign.id }, 'dialling stopped; the reconciler takes over'),
    ),
    deps.leftOut
      .record(plan, batch.dials)
      .catch((error: unknown) =>
        deps.log.warn({ err: error, campaignId: plan.campaign.id }, 'left-out variables were not recorded: the next batch records them'),
      ),
  ]);
}

/** An unsent dial of a probe is no evidence. */
function noteUnsent({ notes }: TurnDeps, plan: DialPlan, results: readonly DialResult[]): void {
  for (const { dial, reply } of results) {
    if (reply.kind === 'withdrawn' || reply.kind === 'not_sent') {
      notes.ended(plan.campaign.id, { requestId: dial.requestId, outcome: 'void', cause: null });
    }
  }
}
