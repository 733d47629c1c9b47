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
import { type AgentDay, IDLE_DAY, readAgentDays } from './agent-days.ts';

/** An agent's figures since the beginning of the business day. */
export interface MyDay extends AgentDay {
  /** Beginning of the day, UTC ms. */
  since: number;
}

export interface MyDesk {
  agent: AgentView | null;
  /** The agent's own call to a customer, or session of the browser phone, that goes on; what a conference holds is a live call. */
  call: SoftphoneCall | null;
  day: MyDay;
}

type DeskApp = AgentsPart & { timeZone: string } & Pick<Platform, 'db' | 'clock'>;

/**
 * The data of an agent's first page besides the live calls; all zeros without an enabled agent.
 *
 * Errors: DATABASE_UNAVAILABLE, CACHE_UNAVAILABLE
 */
export async function readMyDesk(app: DeskApp, caller: Caller): Promise<MyDesk> {
  const agent = await getOwnStatus(app, caller);
  const since = startOfToday(app);
  if (agent === null) return { agent, call: null, day: { since, ...IDLE_DAY } };
  const [call, days] = await Promise.all([openCallOf(app, agent.id), readAgentDays(app.db, [agent.id], since)]);
  return { agent, call, day: { since, ...(days.get(agent.id) ?? IDLE_DAY) } };
}

/** Beginning of the business day, UTC ms. */
export function startOfToday({ timeZone, clock }: Pick<DeskApp, 'timeZone' | 'clock'>): number {
  return startOfDay(timeZone, localTimeAt(timeZone, clock.now()).day);
}

async function openCallOf({ db }: Pick<Platform, 'db'>, agentId: number): Promise<SoftphoneCall | null> {
  const { columns, from } = SOFTPHONE_TABLE;
  const isOwn = sql`s.agent_id = ${agentId} and s.direction <> 'conference' and ${SOFTPHONE_OPEN}`;
  return (await db.first(sql<SoftphoneCall>`select ${columns} from ${from} where ${isOwn} order by s.id desc limit 1`)) ?? null;
}
