import { sql } from 'kysely';
import { z } from 'zod';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { rowId } from '#kernel/fields.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { allOf } from '#platform/postgres/filters.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { instant } from '#platform/postgres/values.ts';
import { SCRIPT_TABLE } from '#scripts/script-store.ts';
import { MAX_DAYS } from './call-stat.ts';

/** Newest calls that count, so that an answer is bounded whatever a script was used for. */
const MAX_CALLS = 20_000;

const count = z.int().nonnegative();

export const nodeStats = z
  .object({
    scriptId: rowId,
    calls: count.meta({ description: `计入的通话，最多最近 ${MAX_CALLS} 个上报了步骤的` }),
    nodes: z.array(
      z.object({
        nodeId: z.string(),
        name: z.string().nullable().meta({ description: '最近一个有此节点的版本给它的名称；没有名称为 null' }),
        entered: count.meta({ description: '进入次数' }),
        left: z.array(z.object({ branch: z.string(), count })).meta({ description: '各出口离开的次数，多的在前' }),
        hungUp: count.meta({ description: '客户在此挂断的次数' }),
        averageSeconds: z.number().nullable().meta({ description: '一个通话在此节点说话所占的秒数，平均；没有带时间的转写为 null' }),
        averageConfidence: z.number().nullable().meta({ description: '话术引擎上报的 confidence 的平均；没有上报为 null' }),
      }),
    ),
  })
  .meta({ id: 'NodeStats' });

export type NodeStats = z.output<typeof nodeStats>;

/** Units: UTC ms, `to` excluded */
export interface NodeStatsQuestion {
  scriptId: number;
  version?: number | undefined;
  campaignId?: number | undefined;
  from: number;
  to: number;
}

/**
 * How calls went through the nodes of a script, by the steps that runtimes have reported.
 *
 * Errors: INVALID_ARGUMENT for a range that cannot be; NOT_FOUND
 * Source: D7.7 `payload.result.steps`, D14.6
 */
export async function getNodeStats(app: Pick<Platform, 'db' | 'reports'>, asked: NodeStatsQuestion): Promise<NodeStats> {
  const { scriptId, from, to } = asked;
  if (to <= from) throw invalidArgument('to', 'laterThan', { other: 'from' });
  if (to - from > MAX_DAYS * MS_PER_DAY) throw invalidArgument('to', 'daysFrom', { other: 'from', max: MAX_DAYS });
  await requireRow(app, SCRIPT_TABLE, scriptId, '话术脚本');
  const { value: found } = await app.reports.read(db => db.first(statement(asked)));
  const names = await readNodeNames(app.db, scriptId);
  const nodes = (found?.nodes ?? []).map(node => ({ ...node, name: names.get(node.nodeId) ?? null }));
  return { scriptId, calls: found?.calls ?? 0, nodes };
}

/** Versions whose names of nodes are read. */
const RECENT_VERSIONS = 50;

/** What the newest version that has a node calls it. */
async function readNodeNames(db: Pick<Sql, 'rows'>, scriptId: number): Promise<Map<string, string>> {
  const rows = await db.rows(sql<{ id: string; name: string }>`
    select distinct on (n.value ->> 'id') n.value ->> 'id' as id, n.value ->> 'name' as name
    from (select version, body from script_version where script_id = ${scriptId} order by version desc limit ${RECENT_VERSIONS}) v
    cross join lateral jsonb_array_elements(v.body -> 'nodes') n
    where n.value ->> 'name' <> '' order by n.value ->> 'id', v.version desc`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function statement({ scriptId, version, campaignId, from, to }: NodeStatsQuestion) {
  const within = allOf(
    sql`a.created_at >= ${instant(from)} and a.created_at < ${instant(to)}`,
    version !== undefined && sql`a.script_version = ${version}`,
    campaignId !== undefined && sql`a.campaign_id = ${campaignId}`,
  );
  return sql<{ calls: number; nodes: Omit<NodeStats['nodes'][number], 'name'>[] }>`
    with recent as materialized (
      select a.id, a.hangup_by, a.payload #> '{result,steps}' as steps from attempt a
      where a.script_id = ${scriptId} and a.result_at is not null and a.deleted_at is null and ${within}
        and jsonb_typeof(a.payload #> '{result,steps}') = 'array'
      order by a.id desc limit ${MAX_CALLS}),
    step as (
      select recent.id, recent.hangup_by, s.step->>'nodeId' as node_id, s.step->>'branch' as branch,
        case when jsonb_typeof(s.step->'confidence') = 'number' then (s.step->>'confidence')::float8 end as confidence,
        s.place = jsonb_array_length(recent.steps) as is_last
      from recent cross join lateral jsonb_array_elements(recent.steps) with ordinality as s (step, place)),
    branch as (
      select node_id, branch, count(*)::int as calls from step where branch is not null group by node_id, branch),
    spoken as (
      select t.node_id, avg(t.ms) / 1000 as seconds from (
        select t.node_id, t.attempt_id, max(t.end_ms) - min(t.start_ms) as ms from transcript_segment t
        where t.attempt_id in (select id from recent) and t.node_id is not null and t.start_ms is not null and t.end_ms is not null
        group by t.node_id, t.attempt_id) t group by t.node_id),
    node as (
      select node_id, count(*)::int as entered, avg(confidence) as confidence,
        (count(*) filter (where is_last and branch is null and hangup_by = 'customer'))::int as hung_up
      from step where node_id is not null group by node_id)
    select (select count(*)::int from recent) as calls,
      coalesce(jsonb_agg(jsonb_build_object('nodeId', node.node_id, 'entered', node.entered, 'hungUp', node.hung_up,
        'averageSeconds', round(spoken.seconds, 3), 'averageConfidence', node.confidence,
        'left', coalesce((select jsonb_agg(jsonb_build_object('branch', b.branch, 'count', b.calls) order by b.calls desc, b.branch)
          from branch b where b.node_id = node.node_id), '[]')) order by node.entered desc, node.node_id), '[]') as nodes
    from node left join spoken on spoken.node_id = node.node_id`;
}
