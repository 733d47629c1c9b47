import { overlay } from '#kernel/json.ts';
import { CAMPAIGN_FIELD_DEFAULTS } from './campaign.ts';
import { filledWith } from '#kernel/fields.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { validCampaign } from './campaign-input.ts';
import { checkReferences } from './campaign-rows.ts';
import type { CreateCampaignDeps, NewCampaign } from './create-campaign.ts';
import { type CampaignChanges, givenOf } from './update-campaign.ts';
import { CAMPAIGN_TABLE } from './campaign-columns.ts';

type CheckDeps = Pick<CreateCampaignDeps, 'db' | 'cellIds'>;

/** Runs the checks of `createCampaign` without writing. Errors: those of `createCampaign` */
export async function checkNewCampaign({ db, cellIds }: CheckDeps, input: NewCampaign): Promise<void> {
  const fields = validCampaign(filledWith(CAMPAIGN_FIELD_DEFAULTS)(input), cellIds);
  await db.transaction(tx => checkReferences(tx, fields, ['businessCode', 'lineIds']));
}

/** Runs the checks of `updateCampaign` on these settings without writing. Errors: those of `updateCampaign` */
export async function checkCampaignChanges({ db, cellIds }: CheckDeps, campaignId: number, changes: CampaignChanges): Promise<void> {
  const current = await requireRow({ db }, CAMPAIGN_TABLE, campaignId, '活动');
  const fields = validCampaign(overlay(current, changes), cellIds);
  await db.transaction(tx => checkReferences(tx, fields, givenOf(changes)));
}
