import { type RawBuilder, sql } from 'kysely';
import type { AgentStore } from '#agents/agent-store.ts';
import { findOwnAgent, requireActingFor } from '#agents/status.ts';
import { NOT_MISSED, TALKED } from '#desk/agent-days.ts';
import { isTimeZone, MS_PER_DAY } from '#kernel/calendar.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids, instant, texts } from '#platform/postgres/values.ts';
import { type AgentStats, type AgentStatsRow, MAX_AGENT_DAYS } from './agent-stat.ts';
import { type AgentSlice, timesOf } from './decisions/agent-times.ts';

/** Units: UTC ms, `to` excluded */
export interface AgentStatsQuestion {
  from: number;
  to: number;
  timeZone?: string | undefined;
  agentId?: number | undefined;
  groupId?: number | undefined;
}

export type AgentStatsApp = { agents: Pick<AgentStore, 'find' | 'findByUser'>; timeZone: string } & Pick<
  Platform,
  'db' | 'reports' | 'clock'
>;

/**
 * Adds up what agents did in a range of time: calls by when they began, states by the time in the range.
 *
 * Shape:  agents by id, deleted ones too, only those who did anything
 * Errors: INVALID_ARGUMENT for a range or zone that cannot be; FORBIDDEN for another user's agent; NOT_FOUND
 * Source: D14.6
 */
export async function getAgentStats(app: AgentStatsApp, caller: Caller, asked: AgentStatsQuestion): Promise<AgentStats> {
  const { from, to, timeZone = app.timeZone } = asked;
  if (!isTimeZone(timeZone)) throw invalidArgument('timeZone', 'timeZone');
  if (to <= from) throw invalidArgument('to', 'laterThan', { other: 'from' });
  if (to - from > MAX_AGENT_DAYS * MS_PER_DAY) throw invalidArgument('to', 'daysFrom', { other: 'from', max: MAX_AGENT_DAYS });
  const which = await agentsSeen(app, caller, asked);
  const span = { from, to: Math.min(to, app.clock.now()), timeZone };
  const read = await app.reports.read(db => Promise.all([readCalls(db, which, span), readSlices(db, which, span)]));
  const [calls, slices] = read.value;
  const bySlice = Map.groupBy(slices, ({ agentId }) => agentId);
  const rows = calls.map(row => ({ ...row, ...timesOf(bySlice.get(row.agentId) ?? []) }));
  return { rows: rows.filter(({ offered, states }) => offered > 0 || states.length > 0), from, to, timeZone };
}

/** A condition on the agent `g`. */
async function agentsSeen(app: AgentStatsApp, caller: Caller, { agentId, groupId }: AgentStatsQuestion): Promise<RawBuilder<unknown>> {
  const ofGroup = groupId === undefined ? sql`true` : sql`g.group_id = ${groupId}`;
  if (agentId !== undefined) return sql`g.id = ${(await requireActingFor(app, caller, agentId)).id} and ${ofGroup}`;
  if (caller.role !== 'agent') return ofGroup;
  const own = await findOwnAgent(app, caller);
  return sql`g.id = any(${ids(own === null ? [] : [own.id])}) and ${ofGroup}`;
}

interface Span {
  from: number;
  to: number;
  timeZone: string;
}

type AgentCalls = Pick<AgentStatsRow, 'agentId' | 'name' | 'groupId' | 'offered' | 'answered' | 'missed' | 'talkSeconds'>;

function readCalls(db: Sql, which: RawBuilder<unknown>, { from, to }: Span): Promise<AgentCalls[]> {
  return db.rows(sql<AgentCalls>`
    select g.id as agent_id, g.name, g.group_id, coalesce(own.answered + own.missed, 0) as offered, coalesce(own.answered, 0) as answered,
      coalesce(own.missed, 0) as missed, coalesce(own.talk_seconds, 0) as talk_seconds
    from agent g left join lateral (
      select count(*) filter (where ${TALKED})::int as answered,
        count(*) filter (where s.answered_at is null and s.ended_at is not null and l.role = 'agent' and not (l.end_cause = any(${texts(NOT_MISSED)})))::int as missed,
        coalesce(sum(coalesce(s.duration_seconds, extract(epoch from now() - s.answered_at)::int)) filter (where ${TALKED}), 0)::int as talk_seconds
      from softphone_call s left join leg l on l.softphone_call_id = s.id and l.conference_id is not null
      where s.agent_id = g.id and s.created_at >= ${instant(from)} and s.created_at < ${instant(to)}) own on true
    where ${which} order by g.id`);
}

/** Quarters of hours, so that the hours of every zone are made of whole slices. Being offline is no state of work and is left out. */
function readSlices(db: Sql, which: RawBuilder<unknown>, { from, to, timeZone }: Span): Promise<AgentSlice[]> {
  return db.rows(sql<AgentSlice>`
    with spans as (
      select g.id as agent_id, own.* from agent g cross join lateral (
        select s.state, s.reason, greatest(s.created_at, ${instant(from)}) as began, lag(s.created_at, 1, ${instant(to)}) over (order by s.created_at desc, s.id desc) as ended
        from agent_state s where s.agent_id = g.id and s.created_at < ${instant(to)} and s.created_at >= coalesce((
          select p.created_at from agent_state p where p.agent_id = g.id and p.created_at <= ${instant(from)} order by p.created_at desc limit 1), ${instant(from)})) own
      where ${which}),
    slices as (
      select p.agent_id, p.state, p.reason, slice, least(p.ended, slice + interval '15 minutes') - greatest(p.began, slice) as time
      from spans p cross join lateral generate_series(date_bin('15 minutes', p.began, 'epoch'), p.ended, interval '15 minutes') as slice
      where p.state <> 'offline' and p.ended > p.began)
    select agent_id, state, reason, extract(hour from slice at time zone ${timeZone})::int as hour, extract(epoch from sum(time))::float8 as seconds
    from slices where time > interval '0' group by agent_id, state, reason, 4 order by agent_id, state, reason nulls first, 4`);
}
