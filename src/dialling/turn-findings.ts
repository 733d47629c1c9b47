import type { TurnFindings } from '#actors/campaign/events.ts';
import { scriptlessReason } from '#rules/scriptless-calls.ts';
import type { SlotRefusal as RuleRefusal } from '#rules/skip-reason.ts';
import { hasWork } from '#operations/campaigns/campaign-actor.ts';
import type { DialPlan } from '#ports/dial-store.ts';
import type { SlotRefusal } from '#ports/slot-registry.ts';
import type { SwitchPort } from '#ports/switch.ts';
import type { Assessment } from './decisions/assess.ts';
import type { BreakerCheck } from './breaker/check-breaker.ts';
import type { ClaimedBatch } from './claim-dials.ts';
import { slotCells } from './decisions/slot-offer.ts';

/** What a turn finds before it claims anything. */
export function findingsOf(
  { switchPort }: { switchPort: Pick<SwitchPort, 'cells'> },
  plan: DialPlan,
  { windowDecision, verdict, opensAt }: Assessment,
): TurnFindings {
  const { at, campaign, counts, nextRetryAt, script, scriptless } = plan;
  const reason = scriptlessReason(scriptless, script);
  return {
    at,
    businessCode: campaign.businessCode,
    hasWork: hasWork(counts),
    pendingCount: counts.pending + counts.dueRetries,
    nextRetryAt,
    activeCalls: counts.active,
    window: { open: windowDecision.open, reason: windowDecision.reason },
    policy: { allowed: verdict.allowed, reason: verdict.reason },
    opensAt,
    slotRefusal: null,
    isCellReachable: slotCells(plan, switchPort.cells()).length > 0,
    breaker: null,
    scriptless: scriptless === null || reason === null ? null : { ...scriptless, reason },
    hasScript: script !== null,
  };
}

/** The findings after the breaker was asked and a batch was claimed, if it was. */
export function afterClaim(found: TurnFindings, breaker: BreakerCheck, batch: ClaimedBatch | null): TurnFindings {
  const { at } = found;
  return {
    ...found,
    ...(breaker.kind === 'wait' ? { breaker: { openedAt: breaker.openedAt, until: at + breaker.waitMs, report: breaker.report } } : {}),
    ...(batch && {
      pendingCount: batch.remainingPending,
      activeCalls: found.activeCalls + batch.dials.length,
      slotRefusal: ruleRefusal(batch.refusal, at, batch.retryInMs),
    }),
  };
}

function ruleRefusal(refusal: SlotRefusal | null, at: number, retryInMs: number | null): RuleRefusal | null {
  if (refusal === null) return null;
  // Cold slots are rebuilt within seconds; until then it is as if none were free.
  return { reason: refusal === 'cold' ? 'campaign_full' : refusal, nextEligibleAt: retryInMs === null ? null : at + retryInMs };
}
