import type { Campaign, CampaignFields } from '#campaigns/campaign.ts';
import { CALLBACK_RULE_DEFAULTS } from '#campaigns/decisions/callback-rules.ts';

export const CAMPAIGN_FIELDS: CampaignFields = {
  name: '回访',
  businessCode: 'demo',
  cellId: null,
  lineIds: [],
  maxConcurrency: 1,
  maxRetries: 0,
  retryIntervalSeconds: 300,
  callIntervalMs: 0,
  retryAnsweredWithoutResult: false,
  retryUnknown: false,
  ...CALLBACK_RULE_DEFAULTS,
  recordingDays: null,
  workdayStart: null,
  workdayEnd: null,
  timeZone: null,
  scheduledStartAt: null,
  scheduledEndAt: null,
  businessConfig: {},
  description: '',
};

/** A draft campaign last changed at `at`, with the test's own fields. */
export function campaignRecord(at: number, fields: Partial<Campaign> = {}): Campaign {
  const state = { status: 'draft', phase: 'IDLE', phaseReason: null, nextWakeAt: null, createdAt: at, updatedAt: at } as const;
  return { id: 1, ...CAMPAIGN_FIELDS, ...state, ...fields };
}
