import { sql } from 'kysely';
import { SOFTPHONE_TABLE } from '#agent-calls/agent-call-store.ts';
import type { SoftphoneCall } from '#agent-calls/agent-call.ts';
import type { AgentsPart } from '#agents/agent-directory.ts';
import type { AgentView } from '#agents/agent.ts';
import { getOwnStatus } from '#agents/status.ts';
import { SOFTPHONE_OPEN } from '#contacts/contact-store.ts';
import { localTimeAt, startOfDay } from '#kernel/calendar.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Platform } from '#platform/platform.ts';
import { instant, texts } from '#platform/postgres/values.ts';

/** An agent's figures since the beginning of the business day. */
export interface MyDay {
  /** Beginning of the day, UTC ms. */
  since: number;
  /** Calls in which the agent talked, those that go on included. */
  callsHandled: number;
  talkSeconds: number;
  /** Calls that the agent took over from a bot by an intervention. */
  interventions: number;
  /** Times that the agent's phone was rung for a customer, who stayed, and nobody picked up. */
  missedOffers: number;
}

export interface MyDesk {
  agent: AgentView | null;
  /** The agent's own call to a customer, or session of the browser phone, that goes on; what a conference holds is a live call. */
  call: SoftphoneCall | null;
  day: MyDay;
}

type DeskApp = AgentsPart & { timeZone: string } & Pick<Platform, 'db' | 'clock'>;

/** Ends of a ring for which the agent is not to blame. */
const NOT_MISSED = ['CUSTOMER_GONE', 'INTERVENED', 'SUPERSEDED', 'REMOVED', 'NOT_SENT', 'FAILED'];

/**
 * The data of an agent's first page besides the live calls; all zeros without an enabled agent.
 *
 * Errors: DATABASE_UNAVAILABLE, CACHE_UNAVAILABLE
 */
export async function readMyDesk(app: DeskApp, caller: Caller): Promise<MyDesk> {
  const agent = await getOwnStatus(app, caller);
  const since = startOfDay(app.timeZone, localTimeAt(app.timeZone, app.clock.now()).day);
  if (agent === null) return { agent, call: null, day: { since, ...NOTHING } };
  const [call, day] = await Promise.all([openCallOf(app, agent.id), dayOf(app, agent.id, since)]);
  return { agent, call, day: { since, ...day } };
}

const NOTHING: Omit<MyDay, 'since'> = { callsHandled: 0, talkSeconds: 0, interventions: 0, missedOffers: 0 };

async function openCallOf({ db }: Pick<Platform, 'db'>, agentId: number): Promise<SoftphoneCall | null> {
  const { columns, from } = SOFTPHONE_TABLE;
  const isOwn = sql`s.agent_id = ${agentId} and s.direction <> 'conference' and ${SOFTPHONE_OPEN}`;
  return (await db.first(sql<SoftphoneCall>`select ${columns} from ${from} where ${isOwn} order by s.id desc limit 1`)) ?? null;
}

async function dayOf({ db }: Pick<Platform, 'db'>, agentId: number, since: number): Promise<Omit<MyDay, 'since'>> {
  const row = await db.first(sql<Omit<MyDay, 'since'>>`
    select count(*) filter (where talked)::int as calls_handled,
      coalesce(sum(coalesce(duration_seconds, extract(epoch from now() - answered_at))) filter (where talked), 0)::int as talk_seconds,
      count(*) filter (where talked and intervention_id is not null)::int as interventions,
      count(*) filter (where was_missed)::int as missed_offers
    from (
      select s.duration_seconds, s.answered_at, c.intervention_id,
        s.answered_at is not null and coalesce(l.mode not in ('listen', 'whisper'), true) as talked,
        s.answered_at is null and s.ended_at is not null and l.role = 'agent' and not (l.end_cause = any(${texts(NOT_MISSED)})) as was_missed
      from softphone_call s
      left join leg l on l.softphone_call_id = s.id and l.conference_id is not null
      left join conference_session c on c.id = l.conference_id
      where s.agent_id = ${agentId} and s.created_at >= ${instant(since)}) own`);
  return row ?? NOTHING;
}
