import { sql } from 'kysely';
import type { Platform } from '#platform/platform.ts';

/** Age of the calls that count, in days. */
const DAYS = 30;
/** Most calls that count, the newest: a bounded reading whatever a script was used for. */
const MAX_CALLS = 5_000;

/** How often calls came to a node and how they went on. */
export interface NodeFigures {
  nodeId: string;
  entered: number;
  /** Calls that left the node by each branch. */
  left: Readonly<Record<string, number>>;
  /** Calls that the customer ended here. */
  hungUp: number;
}

export interface ScriptFigures {
  /** Calls that count. */
  calls: number;
  days: number;
  nodes: NodeFigures[];
}

/**
 * Counts the steps that runtimes have reported for a script's newest calls of the last 30 days, whatever version they had.
 *
 * Source: D7.7 `payload.result.steps`, D11
 */
export async function readScriptFigures({ db }: Pick<Platform, 'db'>, scriptId: number): Promise<ScriptFigures> {
  const found = await db.first(sql<{ calls: number; nodes: NodeFigures[] }>`
    with recent as materialized (
      select a.id, a.hangup_by, a.payload #> '{result,steps}' as steps from attempt a
      where a.script_id = ${scriptId} and a.result_at is not null and a.deleted_at is null
        and a.result_at > now() - ${DAYS} * interval '1 day' and jsonb_typeof(a.payload #> '{result,steps}') = 'array'
      order by a.id desc limit ${MAX_CALLS}),
    step as (
      select recent.id, recent.hangup_by, s.step->>'nodeId' as node_id, s.step->>'branch' as branch, s.place = jsonb_array_length(recent.steps) as is_last
      from recent cross join lateral jsonb_array_elements(recent.steps) with ordinality as s (step, place)),
    branch as (
      select node_id, branch, count(*)::int as calls from step where branch is not null and node_id is not null group by node_id, branch),
    node as (
      select node_id, count(*)::int as entered, (count(*) filter (where is_last and branch is null and hangup_by = 'customer'))::int as hung_up
      from step where node_id is not null group by node_id)
    select (select count(*) from recent)::int as calls,
      coalesce(jsonb_agg(jsonb_build_object('nodeId', node.node_id, 'entered', node.entered, 'hungUp', node.hung_up,
        'left', coalesce((select jsonb_object_agg(b.branch, b.calls) from branch b where b.node_id = node.node_id), '{}'))
        order by node.node_id), '[]') as nodes
    from node`);
  return { calls: found?.calls ?? 0, days: DAYS, nodes: found?.nodes ?? [] };
}
