import { decidePhase, type PhaseDecision } from '#rules/campaign-phase.ts';
import { scriptlessReason } from '#rules/scriptless-calls.ts';
import type { SlotRefusal as RuleRefusal, SlotSkipReason } from '#rules/skip-reason.ts';
import type { DialPlan, DialStore } from '#ports/dial-store.ts';
import type { SlotRefusal } from '#ports/slot-book.ts';
import type { SwitchPort } from '#ports/switch.ts';
import type { BreakerCheck } from './breaker/check-breaker.ts';
import { blockedReason } from './breaker/tell-blocked.ts';
import type { Assessment } from './decisions/assess.ts';
import { type ClaimedBatch, slotCells } from './claim-dials.ts';

export interface PhaseDeps {
  dials: Pick<DialStore, 'recordPhase'>;
  switchPort: Pick<SwitchPort, 'cells'>;
}

/** What a turn found. */
export interface TurnFindings {
  plan: DialPlan;
  assessment: Assessment;
  breaker: BreakerCheck;
  /** Null: nothing was claimed because nothing may be or is due. */
  batch: ClaimedBatch | null;
}

/** Only an event can change anything; should its wake be lost, the campaign is looked at after this, ms. */
const RECHECK_MS = 60_000;

/**
 * Writes what the campaign is doing and when it is looked at again.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D5.1
 */
export async function writePhase(deps: PhaseDeps, findings: TurnFindings): Promise<void> {
  const decision = phaseAfter(deps, findings);
  const { campaign, at } = findings.plan;
  const nextWakeInMs = decision.nextWakeAt === null ? RECHECK_MS : Math.max(0, decision.nextWakeAt - at);
  const isSame =
    campaign.phase === decision.phase && campaign.phaseReason === decision.phaseReason && campaign.nextWakeAt === decision.nextWakeAt;
  if (!isSame) await deps.dials.recordPhase(campaign.id, { phase: decision.phase, phaseReason: decision.phaseReason, nextWakeInMs });
}

function phaseAfter(deps: PhaseDeps, { plan, assessment, breaker, batch }: TurnFindings): PhaseDecision {
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
    blocked: breaker.kind === 'wait' ? { reason: blockedReason(breaker.report), until: at + breaker.waitMs } : null,
    scriptless: scriptlessReason(plan.scriptless, plan.script),
    hasScript: plan.script !== null,
  });
}

function ruleRefusal(refusal: SlotRefusal | null, at: number, retryInMs: number | null): RuleRefusal | null {
  if (refusal === null) return null;
  // A cold book is rebuilt within seconds; until then it is as if no slot were free.
  const reason: SlotSkipReason = refusal === 'cold' ? 'campaign_full' : refusal;
  return { reason, nextEligibleAt: retryInMs === null ? null : at + retryInMs };
}
