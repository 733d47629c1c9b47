import type { TurnFindings } from '#actors/campaign/events.ts';
import { hasFlow, scriptlessReason } from '#campaigns/decisions/campaign-states.ts';
import type { SlotRefusal as RuleRefusal } from '#campaigns/decisions/skip-reason.ts';
import type { SlotRefusal } from '#slots/slot-registry.ts';
import type { SwitchPort } from '#platform/freeswitch/switch.ts';
import type { Assessment } from './decisions/assess.ts';
import type { ClaimedBatch } from './claim-dials.ts';
import { slotCells } from './decisions/slot-offer.ts';
import { hasWork } from '#campaigns/campaign.ts';
import type { DialPlan } from './dial-store.ts';

/** An expired hold is removed within this time, ms. */
const HOLD_LAG_MS = 1_000;

/** Findings of a turn before it claims. */
export function findingsOf(
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
    left: { pending: counts.pending, held: counts.held, retryable: counts.retryable },
    window: { open: windowDecision.open, reason: windowDecision.reason },
    policy: { allowed: verdict.allowed, reason: verdict.reason },
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
export function afterClaim(found: TurnFindings, batch: ClaimedBatch, probeMs: number | null): TurnFindings {
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
