import { sql } from 'kysely';
import { spanOf, type TodayApp } from '#agents/sum-states.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { allOf } from '#platform/postgres/filters.ts';
import { BUSINESS_ZONE } from '#platform/postgres/values.ts';
import type { DispositionCount } from './disposition.ts';

/** Rows of one answer: dispositions of every agent of some campaigns. */
const MAX_ROWS = 5_000;

interface CountSearch {
  /** Business days, both included; today by default. */
  from?: string | undefined;
  to?: string | undefined;
  campaignId?: number | undefined;
  agentId?: number | undefined;
}

/**
 * Counts dispositions by campaign and agent.
 *
 * Shape:  most frequent first, 5,000 rows at most
 * Errors: INVALID_ARGUMENT for days in the wrong order, or too many of them
 * Source: D12.9
 */
export async function countDispositions(app: TodayApp & { db: Sql }, search: CountSearch): Promise<DispositionCount[]> {
  const { campaignId, agentId } = search;
  const { from, to } = spanOf(app, search);
  const within = allOf(
    sql`v.created_at >= (${from}::date::timestamp at time zone ${BUSINESS_ZONE})`,
    sql`v.created_at < ((${to}::date + 1)::timestamp at time zone ${BUSINESS_ZONE})`,
    campaignId !== undefined && sql`v.campaign_id = ${campaignId}`,
    agentId !== undefined && sql`v.agent_id = ${agentId}`,
  );
  return app.db.rows(sql<DispositionCount>`
    select v.campaign_id, v.agent_id, v.code, v.category, (array_agg(v.label order by v.id desc))[1] as label, count(*)::int as count
    from call_disposition v where ${within}
    group by v.campaign_id, v.agent_id, v.code, v.category order by count(*) desc, v.campaign_id, v.agent_id, v.code limit ${MAX_ROWS}`);
}
