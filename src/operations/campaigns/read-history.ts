import { sql } from 'kysely';
import { intIds } from '#adapters/postgres/values.ts';
import type { ListDeps } from '../listing.ts';

/** What becomes of a campaign: what people did, as audit rows name it, and what it did by itself, as runtime events do. */
const BY_PEOPLE = {
  'campaign.created': 'created',
  'campaign.updated': 'updated',
  'campaign.started': 'started',
  'campaign.paused': 'paused',
  'campaign.archived': 'archived',
  'contact.imported': 'imported',
  'contact.added': 'added',
} as const;
const BY_ITSELF = { 'campaign.completed': 'completed', 'campaign.blocked': 'blocked' } as const;

export const MOMENT_KINDS = [...Object.values(BY_PEOPLE), ...Object.values(BY_ITSELF)];

export interface CampaignMoment {
  campaignId: number;
  kind: (typeof MOMENT_KINDS)[number];
  /** UTC ms. */
  at: number;
  /** Name of who did it; null: the campaign itself. */
  by: string | null;
  /** Chinese. */
  message: string;
  /** Of an import, and of contacts that were added. */
  rows: { totalRows: number; createdRows: number; duplicateRows: number; failedRows?: number } | null;
}

/** Of one campaign. */
const MAX_MOMENTS = 100;

/** By campaign: its newest 100 moments, newest first. */
export async function readHistories({ db }: ListDeps, campaignIds: readonly number[]): Promise<Map<number, CampaignMoment[]>> {
  const [actions, types] = [Object.keys(BY_PEOPLE), Object.keys(BY_ITSELF)];
  const newest = sql`order by id desc limit ${MAX_MOMENTS}`;
  const rows = await db.rows(sql<Omit<CampaignMoment, 'kind'> & { name: string }>`
    select asked.id as campaign_id, moment.* from unnest(${intIds(campaignIds)}) as asked (id) cross join lateral (
      select * from (
        (select created_at as at, action as name, actor_name as by, summary as message, case when action like 'contact.%' then detail end as rows
         from audit_log where target_type = 'campaign' and target_id = asked.id::text and action = any(${actions}) ${newest})
        union all
        (select created_at, type, null, message, null from runtime_event
         where campaign_id = asked.id and type = any(${types}) and type in ('campaign.completed', 'campaign.blocked') ${newest})
      ) as both_kinds order by at desc limit ${MAX_MOMENTS}) as moment
    order by moment.at desc`);
  const moments = rows.map(({ name, ...moment }) => ({ ...moment, kind: kindOf(name) }));
  return Map.groupBy(moments, ({ campaignId }) => campaignId);
}

function kindOf(name: string): CampaignMoment['kind'] {
  return (BY_PEOPLE as Record<string, CampaignMoment['kind']>)[name] ?? BY_ITSELF[name as keyof typeof BY_ITSELF];
}
