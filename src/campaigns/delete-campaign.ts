import { sql } from 'kysely';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { CalloutError, conflict } from '#kernel/errors.ts';
import type { Campaign } from './campaign.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { CAMPAIGN_TABLE } from './campaign-columns.ts';

const REMAINS = { contacts: '联系人', batches: '调度批次', attempts: '通话记录' } as const;

/**
 * Errors: NOT_FOUND; CAMPAIGN_RUNNING; CONFLICT when the campaign is not empty
 * Source: OCS 4.5
 */
export async function deleteCampaign(deps: AuditDeps & { db: Database }, caller: Caller, campaignId: number): Promise<Campaign> {
  const campaign = await deps.db.transaction(tx => removeCampaign(tx, campaignId));
  await audit(deps, caller, {
    action: 'campaign.deleted',
    targetType: 'campaign',
    targetId: campaignId,
    summary: `删除活动「${campaign.name}」`,
    detail: { businessCode: campaign.businessCode },
  });
  return campaign;
}

/** `remains` names data that the campaign still has. Errors: CAMPAIGN_RUNNING; CONFLICT */
export function requireRemovable({ status }: Pick<Campaign, 'status'>, remains: keyof typeof REMAINS | undefined): void {
  if (status === 'running') throw new CalloutError('CAMPAIGN_RUNNING', '活动正在运行，不能删除');
  if (remains !== undefined) throw conflict('CAMPAIGN_IN_USE', `活动还有${REMAINS[remains]}，不能删除`);
}

/** `for update` waits for transactions that add contacts, batches or attempts, and blocks new ones. */
async function removeCampaign(tx: Sql, campaignId: number): Promise<Campaign> {
  await tx.first(sql`select id from campaign where id = ${campaignId} for update`);
  const campaign = await requireRow({ db: tx }, CAMPAIGN_TABLE, campaignId, '活动');
  const held = await tx.first(sql<Record<keyof typeof REMAINS, boolean>>`
    select exists (select 1 from contact where campaign_id = ${campaignId} and deleted_at is null) as contacts,
      exists (select 1 from batch where campaign_id = ${campaignId}) as batches,
      exists (select 1 from attempt where campaign_id = ${campaignId} and deleted_at is null) as attempts`);
  const by = (['contacts', 'batches', 'attempts'] as const).find(kind => held?.[kind]);
  requireRemovable(campaign, by);
  await tx.run(sql`update campaign set deleted_at = now() where id = ${campaignId}`);
  return campaign;
}
