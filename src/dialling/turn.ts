import { isSameCampaign, phaseOf } from '#actors/campaign/context.ts';
import type { TurnFindings } from '#actors/campaign/events.ts';
import { claimLimit, isShown } from '#actors/campaign/obstacles.ts';
import { foundActor, type CampaignsPart } from '#campaigns/campaign-actor.ts';
import { hasWork } from '#campaigns/campaign.ts';
import { hasFlow, scriptlessReason } from '#campaigns/decisions/campaign-states.ts';
import type { SlotRefusal as RuleRefusal } from '#campaigns/decisions/skip-reason.ts';
import type { SwitchPort } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotRefusal } from '#slots/slot-registry.ts';
import { type ClaimApp, claimDials, type ClaimedBatch, passOnSlots } from './claim.ts';
import { askFirst } from './ask-first.ts';
import { type Assessment, assessPlan } from './decisions/assess.ts';
import { slotCells } from './decisions/slot-offer.ts';
import type { DialPlan } from './dial-store.ts';
import { dialAll, type DialApp, type DialResult } from './dial.ts';
import type { DialNotesPart } from '#calls/switch-events.ts';
import type { LeftOutPart } from './call-variables.ts';
import type { PreDialPart } from '#pre-dial/pre-dial.ts';

/** An expired hold is removed within this time, ms. */
const HOLD_LAG_MS = 1_000;

/** Findings of a turn before it claims. */
function findingsOf(
  { switchPort }: { switchPort: Pick<SwitchPort, 'cells'> },
  plan: DialPlan,
  { window, windowDecision, verdict, opensAt }: Assessment,
): TurnFindings {
  const { at, campaign, counts, script, scriptless } = plan;
  const reason = scriptlessReason(scriptless, script);
  return {
    at,
    businessCode: campaign.businessCode,
    hasWork: hasWork(counts),
    pendingCount: counts.pending + counts.dueRetries,
    ...awaited(plan),
    activeCalls: counts.active,
    endsAt: window.isValid && Number.isFinite(window.endsAt) ? window.endsAt : null,
    left: { pending: counts.pending, held: counts.held, retryable: counts.retryable, promised: counts.promised },
    window: { open: windowDecision.open, cause: windowDecision.cause },
    policy: { allowed: verdict.allowed, reason: verdict.reason, blockedBy: verdict.blockedBy },
    opensAt,
    slotRefusal: null,
    isCellReachable: slotCells(plan, switchPort.cells()).length > 0,
    hasLine: plan.lines.some(line => line.isEnabled),
    probe: null,
    scriptless: scriptless === null || reason === null ? null : { ...scriptless, reason },
    hasFlow: hasFlow(plan),
  };
}

/** A contact that a user has made pending again waits for its retry as a hold. */
function awaited({ at, nextRetryAt, nextHold }: DialPlan): Pick<TurnFindings, 'nextRetryAt' | 'nextHold'> {
  if (nextHold?.reason !== 'retry_wait') return { nextRetryAt, nextHold };
  return { nextRetryAt: Math.min(nextRetryAt ?? Infinity, Math.max(nextHold.until, at + HOLD_LAG_MS)), nextHold: null };
}

/** Findings after a batch was claimed. `probeMs`: how long the results of a probe are awaited; null when it is not a probe. */
function afterClaim(found: TurnFindings, batch: ClaimedBatch, probeMs: number | null): TurnFindings {
  const { at } = found;
  const requestIds = batch.dials.map(dial => dial.requestId);
  return {
    ...found,
    pendingCount: batch.remainingPending,
    activeCalls: found.activeCalls + batch.dials.length,
    slotRefusal: ruleRefusal(batch.refusal, at, batch.retryInMs),
    probe: probeMs === null || requestIds.length === 0 ? null : { requestIds, until: at + probeMs },
  };
}

function ruleRefusal(refusal: SlotRefusal | null, at: number, retryInMs: number | null): RuleRefusal | null {
  if (refusal === null) return null;
  // Cold slots are rebuilt within seconds; until then they count as full.
  return { reason: refusal === 'cold' ? 'campaign_full' : refusal, nextEligibleAt: retryInMs === null ? null : at + retryInMs };
}

export interface TurnApp extends ClaimApp, DialApp, CampaignsPart, DialNotesPart, LeftOutPart, PreDialPart, Pick<Platform, 'locks'> {}

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
export async function runTurn(app: TurnApp, campaignId: number): Promise<TurnOutcome> {
  // When the bus returns, every campaign is woken.
  if (app.dialGate.refusal()) return IDLE;
  const token = await app.locks.acquire(`campaign:${campaignId}`, app.settings.lockTtlMs);
  if (token === null) return { ...IDLE, isLockedOut: true };
  try {
    return await turnUnderLock(app, campaignId);
  } finally {
    await app.locks
      .release(`campaign:${campaignId}`, token)
      .catch((error: unknown) => app.log.warn({ err: error, campaignId }, 'the lock could not be released; it expires by itself'));
  }
}

async function turnUnderLock(app: TurnApp, campaignId: number): Promise<TurnOutcome> {
  const plan = await app.dials.loadPlan(campaignId);
  if (plan === null) return IDLE;
  const assessment = assessPlan(plan, app.settings);
  const input: TurnInput = { plan, assessment, found: findingsOf(app, plan, assessment), seen: foundActor(plan) };
  const isRunning = plan.campaign.status === 'running';
  const limit = isRunning ? claimLimit(input.found, input.seen.state.context, app.settings.breaker) : 0;
  if (limit !== 0) return claimTurn(app, input, limit);
  await passOnSlots(app, plan, assessment);
  if (isRunning) await reportTurn(app, input, input.found);
  return IDLE;
}

/** `limit` null: not a probe, limited only by the batch size. */
async function claimTurn(app: TurnApp, input: TurnInput, limit: number | null): Promise<TurnOutcome> {
  const { plan, assessment, found } = input;
  const { batchSize, breaker } = app.settings;
  const asked = await askFirst(app, plan, Math.min(batchSize, limit ?? batchSize));
  if (asked !== null && 'retryInMs' in asked) return waitForHook(app, input, asked.retryInMs);
  const dials = asked?.limit ?? Math.min(batchSize, limit ?? batchSize);
  const verdicts = asked?.verdicts ?? null;
  const order = { source: 'auto', requestedLimit: dials, effectiveLimit: dials, createdBy: null, verdicts } as const;
  const batch = await claimDials(app, plan, assessment, order);
  // Started before anything that may fail: forgotten claims would be blocked for their whole lease.
  const dialling = startDialling(app, plan, batch, limit !== null);
  const claimed = batch.dials.length;
  await reportTurn(app, input, afterClaim(found, batch, limit === null ? null : breaker.windowMs)).catch((error: unknown) => {
    if (claimed === 0) throw error;
    app.log.warn(
      { err: error, campaignId: plan.campaign.id },
      'the turn of a campaign could not be reported; the next turn will report it',
    );
  });
  return { dialling, claimed, goOn: batch.isStale || (claimed + batch.held > 0 && batch.refusal === null), isLockedOut: false };
}

/** The hook does not answer, and the campaign dials nobody without its answer. */
async function waitForHook(app: TurnApp, input: TurnInput, retryInMs: number): Promise<TurnOutcome> {
  const { plan, assessment, found } = input;
  await passOnSlots(app, plan, assessment);
  await reportTurn(app, input, { ...found, slotRefusal: { reason: 'pre_dial_hook', nextEligibleAt: found.at + retryInMs } });
  return IDLE;
}

/** Reports the findings to the campaign's actor, unless it shows them already; findings about an outdated state are dropped. */
async function reportTurn({ campaignHost, ids }: TurnApp, { plan, seen }: TurnInput, found: TurnFindings): Promise<void> {
  if (isShown(phaseOf(seen.state.value), seen.state.context, found)) return;
  const id = String(plan.campaign.id);
  const report = (as: SeenCampaign) => campaignHost.sendIfUnchanged(id, { type: 'turnTaken', found }, `turn:${ids()}`, as);
  if ((await report(seen)) !== null) return;
  const now = await campaignHost.find(id);
  // Only the breaker's counts have changed meanwhile: the findings are still valid.
  if (now && isSameCampaign(now.state, seen.state)) await report(now);
}

/** Dialling outlives the turn, because pacing may spread it over seconds. Never rejects: no caller would handle it. */
function startDialling(app: TurnApp, plan: DialPlan, batch: ClaimedBatch, isProbe: boolean): Promise<unknown> {
  if (batch.dials.length === 0) return Promise.resolve();
  return Promise.all([
    dialAll(app, plan, batch.dials).then(
      results => (isProbe ? noteUnsent(app, plan, results) : undefined),
      (error: unknown) => app.log.error({ err: error, campaignId: plan.campaign.id }, 'dialling stopped; the reconciler takes over'),
    ),
    app.leftOut
      .record(plan, batch.dials)
      .catch((error: unknown) =>
        app.log.warn({ err: error, campaignId: plan.campaign.id }, 'left-out variables were not recorded: the next batch records them'),
      ),
  ]);
}

/** An unsent dial of a probe is no evidence. */
function noteUnsent({ notes }: TurnApp, plan: DialPlan, results: readonly DialResult[]): void {
  for (const { dial, reply } of results) {
    if (reply.kind === 'withdrawn' || reply.kind === 'not_sent') {
      notes.ended(plan.campaign.id, { requestId: dial.requestId, outcome: 'void', cause: null });
    }
  }
}
