import { sql } from 'kysely';
import { TALKED } from '#desk/agent-days.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { instant } from '#platform/postgres/values.ts';

/** Calls of a span of time that needed a person, and what those cost that agents have finished. */
export interface Workload {
  arrivals: number;
  /** When the first of them began, UTC ms; null without one. */
  firstAt: number | null;
  handled: number;
  /** Sum over the handled calls and all agents who talked in them. */
  talkSeconds: number;
  /** Sum over the wrap-ups of the handled calls. */
  wrapUpSeconds: number;
}

/**
 * A call that needed a person: one that was transferred, taken over or whose customer said a keyword, and a callback of an agent. Each counts
 * once, however many agents were rung for it.
 */
const NEEDED = (since: number) => sql`
  select 'attempt:' || c.attempt_id as call_key, c.created_at as at from conference_session c
    where c.kind = 'transfer' and c.created_at >= ${instant(since)} and c.attempt_id is not null
  union all select 'attempt:' || e.attempt_id, e.created_at from runtime_event e
    where e.type = 'intent.alert' and e.created_at >= ${instant(since)} and e.attempt_id is not null
  union all select 'request:' || s.request_id, s.created_at from softphone_call s
    where s.direction = 'callback' and s.created_at >= ${instant(since)}`;

/** Legs of agents in conferences and callbacks that ended in the span. */
const HANDLED = (since: number) => sql`
  select 'attempt:' || c.attempt_id as call_key, s.duration_seconds from conference_session c
    join leg l on l.conference_id = c.id and l.role = 'agent' join softphone_call s on s.id = l.softphone_call_id
    where c.kind = 'transfer' and c.ended_at >= ${instant(since)} and c.attempt_id is not null and s.ended_at is not null and ${TALKED}
  union all select 'request:' || s.request_id, s.duration_seconds from softphone_call s
    where s.direction = 'callback' and s.created_at >= ${instant(since)} and s.ended_at is not null and s.answered_at is not null`;

/**
 * Reads the work since an instant.
 *
 * Why:    a wrap-up names its call, so that those of other calls do not count; one that was extended is several states, each until the next
 * Units:  `since` UTC ms
 */
export async function readWorkload({ db }: { db: Sql }, since: number): Promise<Workload> {
  const row = await db.first(sql<Workload>`
    with needed as (select call_key, min(at) as at from (${NEEDED(since)}) calls group by call_key), handled as (
      select call_key, sum(duration_seconds) as talk from (${HANDLED(since)}) legs group by call_key),
    wrapped as (
      select sum(extract(epoch from coalesce(n.created_at, now()) - s.created_at)) as seconds
      from agent_state s join handled h on h.call_key = s.reservation->>'currentCall'
      left join lateral (
        select n.created_at from agent_state n where n.agent_id = s.agent_id and (n.created_at, n.id) > (s.created_at, s.id)
        order by n.created_at, n.id limit 1) n on true
      where s.state = 'wrap_up' and s.created_at >= ${instant(since)})
    select (select count(*) from needed)::int as arrivals, (select extract(epoch from min(at)) * 1000 from needed)::float8 as first_at, count(*)::int as handled, coalesce(sum(talk), 0)::int as talk_seconds,
      coalesce((select seconds from wrapped), 0)::int as wrap_up_seconds
    from handled`);
  return row ?? { arrivals: 0, firstAt: null, handled: 0, talkSeconds: 0, wrapUpSeconds: 0 };
}
