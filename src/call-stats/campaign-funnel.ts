import { sql } from 'kysely';
import { z } from 'zod';
import { ANSWERED, OPEN } from '#attempts/attempt-store.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import { rowId } from '#kernel/fields.ts';
import type { Platform } from '#platform/platform.ts';
import { requireRow } from '#platform/postgres/listing.ts';

/** Newest calls whose steps are read. */
const MAX_STEPPED_CALLS = 50_000;

const count = z.int().nonnegative();

export const campaignFunnel = z
  .object({
    campaignId: rowId,
    contacts: count.meta({ description: '活动现有的联系人；等于 notDialled + notAnswered + inProgress + answered + classified' }),
    states: z
      .object({
        notDialled: count.meta({ description: '还没有拨打' }),
        inProgress: count.meta({ description: '正在拨打或通话，此前没有接听' }),
        notAnswered: count.meta({ description: '拨打过，没有接听' }),
        answered: count.meta({ description: '接听过，没有分类' }),
        classified: count.meta({ description: '接听过，有分类' }),
      })
      .meta({ description: '每个联系人恰在其中一个' }),
    stages: z
      .object({ contacts: count, dialled: count, answered: count, classified: count })
      .meta({ description: '漏斗：每一级包含其后各级' }),
    nodes: z
      .array(z.object({ nodeId: z.string(), contacts: count }))
      .meta({ description: `到达过各话术节点的联系人，多的在前；取自最近 ${MAX_STEPPED_CALLS} 个上报了步骤的通话` }),
  })
  .meta({ id: 'CampaignFunnel' });

export type CampaignFunnel = z.output<typeof campaignFunnel>;

/**
 * How far the contacts of a campaign have come: every contact is in one state, and every stage contains those behind it.
 *
 * Errors: NOT_FOUND
 * Source: D14.6
 */
export async function getCampaignFunnel(app: Pick<Platform, 'db' | 'reports'>, campaignId: number): Promise<CampaignFunnel> {
  await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  const read = await app.reports.read(db => Promise.all([readStates({ db }, campaignId), readNodes({ db }, campaignId)]));
  const [states, nodes] = read.value;
  const classified = states.classified;
  const answered = states.answered + classified;
  const dialled = answered + states.notAnswered + states.inProgress;
  const contacts = dialled + states.notDialled;
  return { campaignId, contacts, states, stages: { contacts, dialled, answered, classified }, nodes };
}

async function readStates({ db }: Pick<Platform, 'db'>, campaignId: number): Promise<CampaignFunnel['states']> {
  const found = await db.first(sql<CampaignFunnel['states']>`
    with dialled as (
      select a.contact_id, bool_or(${OPEN}) as is_open, bool_or(not (${OPEN}) and coalesce(${ANSWERED}, false)) as is_answered,
        bool_or(not (${OPEN}) and coalesce(${ANSWERED}, false) and coalesce(a.classification, '') <> '') as is_classified
      from attempt a where a.campaign_id = ${campaignId} and a.deleted_at is null and a.status <> 'cancelled' group by a.contact_id)
    select count(*) filter (where d.contact_id is null)::int as not_dialled,
      count(*) filter (where d.is_open and not d.is_answered)::int as in_progress,
      count(*) filter (where not d.is_open and not d.is_answered)::int as not_answered,
      count(*) filter (where d.is_answered and not d.is_classified)::int as answered,
      count(*) filter (where d.is_classified)::int as classified
    from contact k left join dialled d on d.contact_id = k.id where k.campaign_id = ${campaignId} and k.deleted_at is null`);
  return found ?? { notDialled: 0, inProgress: 0, notAnswered: 0, answered: 0, classified: 0 };
}

function readNodes({ db }: Pick<Platform, 'db'>, campaignId: number): Promise<CampaignFunnel['nodes']> {
  return db.rows(sql<CampaignFunnel['nodes'][number]>`
    with stepped as materialized (
      select a.contact_id, a.payload #> '{result,steps}' as steps from attempt a
      where a.campaign_id = ${campaignId} and a.deleted_at is null and a.result_at is not null and jsonb_typeof(a.payload #> '{result,steps}') = 'array'
      order by a.id desc limit ${MAX_STEPPED_CALLS})
    select s.step->>'nodeId' as node_id, count(distinct stepped.contact_id)::int as contacts
    from stepped join contact k on k.id = stepped.contact_id and k.deleted_at is null
    cross join lateral jsonb_array_elements(stepped.steps) as s (step)
    where s.step->>'nodeId' is not null group by 1 order by 2 desc, 1`);
}
