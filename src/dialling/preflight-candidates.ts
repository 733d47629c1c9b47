import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { intIds } from '#platform/postgres/values.ts';
import { recentDialsOf } from './admission.ts';
import { FRESH, RETRIES } from './queue.ts';
import type { DialCandidate } from './dial-store.ts';

/** Number of contacts currently on hold, by campaign and reason; without campaigns that have none. */
export async function heldByReason(
  db: Pick<Sql, 'rows'>,
  campaignIds: readonly number[],
): Promise<ReadonlyMap<number, Readonly<Record<string, number>>>> {
  const rows = await db.rows(sql<{ campaignId: number; reason: string; count: number }>`
    select campaign_id, hold_reason as reason, count(*) as count from contact
    where campaign_id = any(${intIds(campaignIds)}) and hold_reason is not null and deleted_at is null group by campaign_id, hold_reason`);
  const byCampaign = Map.groupBy(rows, row => row.campaignId);
  return new Map(Array.from(byCampaign, ([id, held]) => [id, Object.fromEntries(held.map(({ reason, count }) => [reason, count]))]));
}

/** The properties of a contact that the check before a start needs. Source: D5.6 */
export type PreflightCandidate = Pick<DialCandidate, 'dialKey' | 'attemptCount' | 'doNotCall' | 'recentDials'> & { campaignId: number };

/** The contacts that each campaign would dial first, in order, at most `limit`; `frequencyDays` as in ClaimRequest. */
export function preflightCandidates(
  db: Pick<Sql, 'rows'>,
  campaigns: readonly { campaignId: number; frequencyDays: number }[],
  limit: number,
): Promise<PreflightCandidate[]> {
  return db.rows(candidateQuery(campaigns, limit));
}

/** Each half of the queue is read through its own index. */
function candidateQuery(campaigns: Parameters<typeof preflightCandidates>[1], limit: number): RawBuilder<PreflightCandidate> {
  const first = ({ where, order }: typeof RETRIES) => sql`select * from (
    select k.dial_key, k.attempt_count from contact k where k.campaign_id = asked.id and ${where} order by ${order} limit ${limit}) as part`;
  const campaignIds = intIds(campaigns.map(({ campaignId }) => campaignId));
  const days = intIds(campaigns.map(({ frequencyDays }) => frequencyDays));
  return sql<PreflightCandidate>`
    select asked.id as campaign_id, first.dial_key, first.attempt_count,
      case when d.id is not null then jsonb_build_object('expiresAt', epoch_ms(d.expires_at)) end as do_not_call,
      case when asked.days > 0 then ${RECENT_DIALS} else '[]' end as recent_dials
    from unnest(${campaignIds}, ${days}) as asked (id, days)
    cross join lateral (${first(RETRIES)} union all ${first(FRESH)} limit ${limit}) as first
    left join do_not_call d on d.dial_key = first.dial_key`;
}

const RECENT_DIALS = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('at', epoch_ms(dial.at), 'campaignId', dial.campaign_id)), '[]')
  from ${recentDialsOf(sql`first.dial_key`, sql`now() - asked.days * interval '24 hours'`)} as dial)`;
