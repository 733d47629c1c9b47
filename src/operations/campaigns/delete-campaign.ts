import { CalloutError, conflict, notFound } from '#kernel/errors.ts';
import type { CampaignRemoval, CampaignStore } from '#ports/campaign-store.ts';
import type { Campaign } from '#ports/records.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';

export interface DeleteCampaignDeps extends AuditDeps {
  campaigns: Pick<CampaignStore, 'remove'>;
}

const REMAINS = { contacts: '联系人', batches: '调度批次', attempts: '通话记录' } as const;

/**
 * Errors: NOT_FOUND; CAMPAIGN_RUNNING; CONFLICT when the campaign is not empty
 * Source: OCS 4.5
 */
export async function deleteCampaign(deps: DeleteCampaignDeps, caller: Caller, campaignId: number): Promise<Campaign> {
  const removal = await deps.campaigns.remove(campaignId);
  if (removal.kind === 'not_found') throw notFound('活动');
  if (removal.kind === 'in_use') throw inUse(removal);
  await audit(deps, caller, {
    action: 'campaign.deleted',
    targetType: 'campaign',
    targetId: campaignId,
    summary: `删除活动「${removal.campaign.name}」`,
    detail: { businessCode: removal.campaign.businessCode },
  });
  return removal.campaign;
}

function inUse({ by }: Extract<CampaignRemoval, { kind: 'in_use' }>): CalloutError {
  if (by === 'running') return new CalloutError('CAMPAIGN_RUNNING', '活动正在运行，不能删除');
  return conflict(`活动还有${REMAINS[by]}，不能删除`);
}
