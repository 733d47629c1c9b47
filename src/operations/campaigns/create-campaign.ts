import { assert } from '#kernel/assert.ts';
import { findCampaign } from '#adapters/postgres/campaign-repository.ts';
import type { Database } from '#adapters/postgres/database.ts';
import type { CampaignFields } from '#actors/campaign/context.ts';
import type { Campaign } from '#ports/records.ts';
import { CAMPAIGN_DEFAULTS } from '#rules/campaign-bounds.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import { validCampaign } from './campaign-input.ts';
import { insertCampaign } from './campaign-rows.ts';

export interface CreateCampaignDeps extends AuditDeps {
  db: Database;
  /** Ids of `config.cells`. */
  cellIds: ReadonlySet<string>;
}

type Required = 'name' | 'businessCode' | 'lineIds';
/** Absent members take their default. */
export type NewCampaign = Pick<CampaignFields, Required> & {
  [K in Exclude<keyof CampaignFields, Required>]?: CampaignFields[K] | undefined;
};

/**
 * Errors: INVALID_ARGUMENT naming the field
 * Source: OCS 2.6, 4.5, D5.1, D5.3, D5.4
 */
export async function createCampaign(deps: CreateCampaignDeps, caller: Caller, input: NewCampaign): Promise<Campaign> {
  const fields = validCampaign(withDefaults(input), deps.cellIds);
  const campaign = await deps.db.transaction(async tx => findCampaign(tx, await insertCampaign(tx, fields)));
  assert(campaign !== null, 'a campaign vanished inside its transaction');
  await audit(deps, caller, {
    action: 'campaign.created',
    targetType: 'campaign',
    targetId: campaign.id,
    summary: `新建活动「${campaign.name}」`,
    detail: { businessCode: campaign.businessCode, lineIds: campaign.lineIds, maxConcurrency: campaign.maxConcurrency },
  });
  return campaign;
}

function withDefaults(input: NewCampaign): CampaignFields {
  return {
    name: input.name,
    businessCode: input.businessCode,
    lineIds: input.lineIds,
    cellId: input.cellId ?? null,
    maxConcurrency: input.maxConcurrency ?? CAMPAIGN_DEFAULTS.maxConcurrency,
    maxRetries: input.maxRetries ?? CAMPAIGN_DEFAULTS.maxRetries,
    retryIntervalSeconds: input.retryIntervalSeconds ?? CAMPAIGN_DEFAULTS.retryIntervalSeconds,
    callIntervalMs: input.callIntervalMs ?? CAMPAIGN_DEFAULTS.callIntervalMs,
    retryAnsweredWithoutResult: input.retryAnsweredWithoutResult ?? false,
    workdayStart: input.workdayStart ?? null,
    workdayEnd: input.workdayEnd ?? null,
    scheduledStartAt: input.scheduledStartAt ?? null,
    scheduledEndAt: input.scheduledEndAt ?? null,
    businessConfig: input.businessConfig ?? {},
    description: input.description ?? '',
  };
}
