import type { CampaignFields } from '#model/campaign.ts';
import type { CampaignContext } from '#actors/campaign/context.ts';
import type { CampaignEvent, TurnFindings } from '#actors/campaign/events.ts';
import { campaignMachine } from '#actors/campaign/machine.ts';
import { CAMPAIGN_FIELDS } from '#test/support/campaign-record.ts';
import { givenMachine } from '#test/support/machine-given.ts';

export const AT = 1_000_000;

export const FIELDS: CampaignFields = { ...CAMPAIGN_FIELDS, businessCode: 'visit', lineIds: [1] };

export const given = givenMachine<CampaignContext, CampaignEvent>(campaignMachine, FIELDS);

export const start: CampaignEvent = { type: 'startRequested', hasWork: true, by: 'admin' };
export const pause: CampaignEvent = { type: 'pauseRequested', by: 'admin' };
export const archive: CampaignEvent = { type: 'archiveRequested', activeCalls: 0, by: 'admin' };

/** A turn that may dial, but for the changes. */
export function found(changes: Partial<TurnFindings> = {}): TurnFindings {
  return {
    at: AT,
    businessCode: 'visit',
    hasWork: true,
    pendingCount: 5,
    nextRetryAt: null,
    activeCalls: 0,
    window: { open: true, reason: null },
    policy: { allowed: true, reason: null },
    opensAt: AT,
    slotRefusal: null,
    isCellReachable: true,
    breaker: null,
    scriptless: null,
    hasScript: true,
    ...changes,
  };
}

export const turn = (changes: Partial<TurnFindings> = {}): CampaignEvent => ({ type: 'turnTaken', found: found(changes) });
export const drained = turn({ hasWork: false, pendingCount: 0 });
