import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { ids, instant, texts } from '#platform/postgres/values.ts';

/** Work of an agent in calls since an instant. */
export interface AgentDay {
  /** Calls in which the agent talked, those that go on included. */
  callsHandled: number;
  talkSeconds: number;
  /** Calls that the agent took over from a bot by an intervention. */
  interventions: number;
  /** Times that the agent's phone was rung for a customer, who stayed, and nobody picked up. */
  missedOffers: number;
}

export const IDLE_DAY: AgentDay = { callsHandled: 0, talkSeconds: 0, interventions: 0, missedOffers: 0 };

/** Ends of a ring for which the agent is not to blame. */
export const NOT_MISSED = ['CUSTOMER_GONE', 'INTERVENED', 'SUPERSEDED', 'REMOVED', 'NOT_SENT', 'FAILED'];

/** An agent talks in a leg that is answered, unless it only supervises: `s` is the call, `l` its leg in a conference, if any. */
export const TALKED = sql<boolean>`(s.answered_at is not null and coalesce(l.mode not in ('listen', 'whisper'), true))`;

/**
 * Reads the days of agents by their ids; an agent who did nothing is missing.
 *
 * Units: `since` UTC ms
 */
export async function readAgentDays(db: Sql, agentIds: readonly number[], since: number): Promise<Map<number, AgentDay>> {
  const rows = await db.rows(sql<AgentDay & { agentId: number }>`
    select agent_id, count(*) filter (where talked)::int as calls_handled,
      coalesce(sum(coalesce(duration_seconds, extract(epoch from now() - answered_at)::int)) filter (where talked), 0)::int as talk_seconds,
      count(*) filter (where talked and intervention_id is not null)::int as interventions,
      count(*) filter (where was_missed)::int as missed_offers
    from (
      select s.agent_id, s.duration_seconds, s.answered_at, c.intervention_id, ${TALKED} as talked,
        s.answered_at is null and s.ended_at is not null and l.role = 'agent' and not (l.end_cause = any(${texts(NOT_MISSED)})) as was_missed
      from softphone_call s
      left join leg l on l.softphone_call_id = s.id and l.conference_id is not null
      left join conference_session c on c.id = l.conference_id
      where s.agent_id = any(${ids(agentIds)}) and s.created_at >= ${instant(since)}) own
    group by agent_id`);
  return new Map(rows.map(({ agentId, ...day }) => [agentId, day]));
}
