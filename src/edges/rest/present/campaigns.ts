import type { CampaignRow } from '#contract/rest/campaigns.ts';
import type { Campaign } from '#ports/records.ts';
import { presentInstant } from './instant.ts';

/** Source: OCS 2.6, D5.1 */
export function presentCampaign(campaign: Campaign): CampaignRow {
  return {
    id: campaign.id,
    name: campaign.name,
    businessCode: campaign.businessCode,
    cellId: campaign.cellId,
    lineIds: campaign.lineIds,
    maxConcurrency: campaign.maxConcurrency,
    maxRetries: campaign.maxRetries,
    retryIntervalSeconds: campaign.retryIntervalSeconds,
    callIntervalMs: campaign.callIntervalMs,
    retryAnsweredWithoutResult: campaign.retryAnsweredWithoutResult,
    workdayStart: campaign.workdayStart,
    workdayEnd: campaign.workdayEnd,
    scheduledStartAt: presentInstant(campaign.scheduledStartAt),
    scheduledEndAt: presentInstant(campaign.scheduledEndAt),
    businessConfig: campaign.businessConfig,
    description: campaign.description,
    status: campaign.status,
    phase: campaign.phase,
    phaseReason: campaign.phaseReason,
    nextWakeAt: presentInstant(campaign.nextWakeAt),
    createdAt: presentInstant(campaign.createdAt),
    updatedAt: presentInstant(campaign.updatedAt),
  };
}
