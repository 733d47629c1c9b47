import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import { FRESH, RETRIES } from './queue.ts';
import type { RuntimeScript } from '#scripts/decisions/compile.ts';
import { isFilled, NAME_VARIABLE, neededVariables } from '#scripts/decisions/needed-variables.ts';
import type { DialPlan } from './dial-store.ts';
import type { LackingVariable } from './decisions/preflight-checks.ts';

/** Most variables examined for one campaign. */
const MAX_VARIABLES = 50;

type ScriptedCampaign = Pick<DialPlan, 'script'> & { campaign: Pick<DialPlan['campaign'], 'id' | 'businessConfig'> };

/**
 * Finds the variables that the campaigns' scripts use and their next contacts lack, examining at most `limit` contacts each.
 *
 * Shape:  by campaign, in the order of its script; campaigns that lack nothing are left out
 * Source: D5.6
 */
export async function findLackingVariables(
  db: Pick<Sql, 'rows'>,
  plans: readonly ScriptedCampaign[],
  limit: number,
): Promise<Map<number, LackingVariable[]>> {
  const scripts = await readRuntimes(db, plans);
  const required = plans.flatMap(({ campaign: { id, businessConfig }, script }) => {
    const runtime = script && scripts.get(script.scriptId);
    const given = businessConfig.variables ?? {};
    return (runtime ? neededVariables(runtime) : [])
      .filter(name => !isFilled(given[name]))
      .slice(0, MAX_VARIABLES)
      .map(name => ({ campaignId: id, name }));
  });
  if (required.length === 0) return new Map();
  const counted = await countLacking(db, required, limit);
  return Map.groupBy(counted, ({ campaignId }) => campaignId);
}

async function readRuntimes(db: Pick<Sql, 'rows'>, plans: readonly ScriptedCampaign[]): Promise<Map<number, RuntimeScript>> {
  const taken = plans.flatMap(({ script }) => script ?? []);
  if (taken.length === 0) return new Map();
  const rows = await db.rows(sql<{ scriptId: number; runtime: RuntimeScript }>`
    select v.script_id, v.runtime from jsonb_to_recordset(${json(taken)}) as t ("scriptId" int, version int)
    join script_version v on v.script_id = t."scriptId" and v.version = t.version`);
  return new Map(rows.map(({ scriptId, runtime }) => [scriptId, runtime]));
}

/** Each half of the queue is read from its own index. */
function countLacking(
  db: Pick<Sql, 'rows'>,
  required: readonly { campaignId: number; name: string }[],
  limit: number,
): Promise<(LackingVariable & { campaignId: number })[]> {
  const first = ({ where, order }: typeof RETRIES) => sql`select * from (
    select k.customer_name, k.metadata from contact k where k.campaign_id = asked.id and ${where} order by ${order} limit ${limit}) as part`;
  return db.rows(sql<LackingVariable & { campaignId: number }>`
    with need as (select n.id, n.name, n.position from rows from (
      jsonb_to_recordset(${json(required.map(({ campaignId: id, name }) => ({ id, name })))}) as (id int, name text)) with ordinality as n (id, name, position))
    select need.id as campaign_id, need.name, count(*)::int as contacts
    from (select distinct id from need) as asked
    cross join lateral (${first(RETRIES)} union all ${first(FRESH)} limit ${limit}) as first
    join need on need.id = asked.id
    where coalesce(first.metadata ->> need.name, '') = '' and (need.name <> ${NAME_VARIABLE} or first.customer_name = '')
    group by need.id, need.name, need.position order by need.id, need.position`);
}
