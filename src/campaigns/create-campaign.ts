import type { Database } from '#platform/postgres/database.ts';
import { CAMPAIGN_FIELD_DEFAULTS, type CampaignFields } from './campaign.ts';
import type { Campaign } from './campaign.ts';
import { filledWith } from '#kernel/fields.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { validCampaign } from './campaign-input.ts';
import { insertCampaign } from './campaign-rows.ts';
import { CAMPAIGN_TABLE } from './campaign-columns.ts';

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
  const fields = validCampaign(filledWith(CAMPAIGN_FIELD_DEFAULTS)(input), deps.cellIds);
  const campaign = await deps.db.transaction(async tx => requireRow({ db: tx }, CAMPAIGN_TABLE, await insertCampaign(tx, fields), '活动'));
  await audit(deps, caller, {
    action: 'campaign.created',
    targetType: 'campaign',
    targetId: campaign.id,
    summary: `新建活动「${campaign.name}」`,
    detail: { businessCode: campaign.businessCode, lineIds: campaign.lineIds, maxConcurrency: campaign.maxConcurrency },
  });
  return campaign;
}
