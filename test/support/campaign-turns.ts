import { BREAKER_DEFAULTS } from '#platform/config/defaults.ts';
import type { CampaignFields } from '#campaigns/campaign.ts';
import type { CampaignContext, CampaignValue } from '#actors/campaign/context.ts';
import type { CampaignEvent, TurnFindings } from '#actors/campaign/events.ts';
import { campaignMachine } from '#actors/campaign/machine.ts';
import { CAMPAIGN_FIELDS } from '#test/support/campaign-record.ts';
import { givenMachine } from '#test/support/machine-given.ts';

export const AT = 1_000_000;

export const FIELDS: CampaignFields = { ...CAMPAIGN_FIELDS, businessCode: 'visit', lineIds: [1] };

const givenCampaign = givenMachine<CampaignContext, CampaignEvent>(campaignMachine, FIELDS);

/** `value` is the campaign's status and phase; the breaker's state is returned separately. */
export function given(...events: CampaignEvent[]) {
  const before = givenCampaign(...events);
  return {
    state: { ...before.state, value: (before.state.value as CampaignValue).status },
    when(event: CampaignEvent) {
      const step = before.when(event);
      const { status, breaker } = step.value as CampaignValue;
      return { ...step, value: status, breaker };
    },
  };
}

export const start: CampaignEvent = { type: 'startRequested', hasWork: true, hasFlow: true, by: 'admin' };
export const pause: CampaignEvent = { type: 'pauseRequested', by: 'admin' };
export const archive: CampaignEvent = { type: 'archiveRequested', activeCalls: 0, by: 'admin' };

/** A turn that may dial, except for `changes`. */
export function found(changes: Partial<TurnFindings> = {}): TurnFindings {
  return {
    at: AT,
    businessCode: 'visit',
    hasWork: true,
    pendingCount: 5,
    nextRetryAt: null,
    nextHold: null,
    activeCalls: 0,
    endsAt: null,
    left: { pending: 5, held: 0, retryable: 0, promised: 0 },
    window: { open: true, cause: null },
    policy: { allowed: true, reason: null },
    opensAt: AT,
    slotRefusal: null,
    isCellReachable: true,
    hasLine: true,
    probe: null,
    scriptless: null,
    hasFlow: true,
    ...changes,
  };
}

/** Enough network failures to open the breaker until `AT` + 30 s. */
export const failures: CampaignEvent = {
  type: 'dialsEnded',
  at: AT,
  ends: Array.from({ length: 20 }, (_, n) => ({ requestId: `f${n}`, outcome: 'failed', cause: 'NORMAL_TEMPORARY_FAILURE' })),
  settings: BREAKER_DEFAULTS,
};
/** The end of the probe dials that test whether the breaker may close. */
export const tried = (outcome: 'reached' | 'failed', at = AT + 31_000): CampaignEvent => ({
  type: 'dialsEnded',
  at,
  ends: PROBE.requestIds.map(requestId => ({ requestId, outcome, cause: null })),
  settings: BREAKER_DEFAULTS,
});
export const PROBE = { requestIds: ['p1', 'p2'], until: AT + 150_000 };

export const turn = (changes: Partial<TurnFindings> = {}): CampaignEvent => ({ type: 'turnTaken', found: found(changes) });
export const drained = turn({ hasWork: false, pendingCount: 0 });
