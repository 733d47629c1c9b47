import { type RawBuilder, sql } from 'kysely';
import type { HeldReservation } from '#actors/agent/reservation.ts';
import type { Database } from '#platform/postgres/database.ts';
import { BUSINESS_ZONE, ids, instant, json } from '#platform/postgres/values.ts';
import type { AgentActivity, AgentStateSeconds } from './agent.ts';

/** A state that an agent entered. `at` UTC ms; the effect's id makes a repeated record harmless. */
interface EnteredState {
  agentId: number;
  effectId: string;
  state: AgentActivity;
  reason: string | null;
  /** The call of a state that belongs to one. */
  reservation: HeldReservation | null;
  at: number;
}

export type AgentStates = ReturnType<typeof agentStateRepository>;

export interface AgentStatesPart {
  agentStates: AgentStates;
}

/** Newest first: an effect may be written after the one that follows it. */
const NEWEST = sql`s.created_at desc, s.id desc`;

/**
 * The history of what agents did: each state lasts until the next one of its agent.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: D12.9
 */
export function agentStateRepository(db: Database) {
  return {
    record: (entered: EnteredState) => record(db, entered),
    /** Agents whose last known state is not `offline`, with the call that holds them. */
    listActive: () =>
      db.rows(sql<{ agentId: number; reservation: HeldReservation | null }>`
        select g.id as agent_id, last.reservation from agent g
        cross join lateral (select s.state, s.reservation from agent_state s where s.agent_id = g.id order by ${NEWEST} limit 1) last
        where g.deleted_at is null and last.state <> 'offline'`),
    /** The call of the agent's last known state; null when nothing holds them. */
    async findReservation(agentId: number): Promise<HeldReservation | null> {
      const row = await db.first(sql<{ reservation: HeldReservation | null }>`
        select s.reservation from agent_state s where s.agent_id = ${agentId} order by ${NEWEST} limit 1`);
      return row?.reservation ?? null;
    },
    seconds: (search: StateSearch) => db.rows(secondsQuery(search)),
  };
}

/** A choice that changes nothing is no new state. */
async function record(db: Database, { agentId, effectId, state, reason, reservation, at }: EnteredState): Promise<void> {
  const held = reservation === null ? sql`null::jsonb` : json(reservation);
  await db.run(sql`
    insert into agent_state (agent_id, effect_id, state, reason, reservation, created_at)
    select g.id, ${effectId}, ${state}, ${reason}, ${held}, ${instant(at)} from agent g
    where g.id = ${agentId} and not exists (
      select from (select * from agent_state s where s.agent_id = g.id order by ${NEWEST} limit 1) last
      where last.state = ${state} and last.reason is not distinct from ${reason}::text and last.reservation is not distinct from ${held})
    on conflict (effect_id) do nothing`);
}

/** The selected agents and business days, both days included; no agents: all. */
export interface StateSearch {
  agentIds: readonly number[] | null;
  from: string;
  to: string;
}

const startOf = (day: RawBuilder<unknown>) => sql`((${day})::date::timestamp at time zone ${BUSINESS_ZONE})`;

/**
 * The state in which an agent entered a day began before it.
 *
 * Why: each agent's rows of a day are read in the order of the index and added up at once; over the whole table, or with the rows of all
 *      agents together, the board of 200 agents would take several times as long
 */
function secondsQuery({ agentIds, from, to }: StateSearch): RawBuilder<AgentStateSeconds> {
  const chosen = agentIds === null ? sql`true` : sql`g.id = any(${ids(agentIds)})`;
  return sql<AgentStateSeconds>`
    with days as materialized (
      select day::date as day, ${startOf(sql`day::date`)} as begins, least(now(), ${startOf(sql`day::date + 1`)}) as ends
      from generate_series(${from}::date, ${to}::date, interval '1 day') as day)
    select to_char(d.day, 'YYYY-MM-DD') as date, g.id as agent_id, own.state, own.reason, round(extract(epoch from own.time))::int as seconds
    from days d cross join agent g cross join lateral (
      select part.state, part.reason, sum(part.ended - greatest(part.began, d.begins)) as time from (
        select s.state, s.reason, s.created_at as began, lag(s.created_at, 1, d.ends) over (order by ${NEWEST}) as ended
        from agent_state s where s.agent_id = g.id and s.created_at < d.ends and s.created_at >= coalesce((
          select p.created_at from agent_state p where p.agent_id = g.id and p.created_at <= d.begins order by p.created_at desc limit 1), d.begins)) part
      where part.ended > d.begins group by part.state, part.reason) own
    where d.begins < now() and ${chosen}
    order by d.day, g.id, own.state, own.reason nulls first`;
}
