import { sql } from 'kysely';
import { NOT_MISSED, TALKED } from '#desk/agent-days.ts';
import { requireActingFor } from '#agents/status.ts';
import { dateText, localTimeAt, parseDate, startOfDay } from '#kernel/calendar.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { instant, texts } from '#platform/postgres/values.ts';
import type { AgentDay, AgentDayCall } from './agent-day.ts';
import type { AgentStatsRow } from './agent-stat.ts';
import { type AgentStatsApp, getAgentStats } from './agent-stats.ts';
import { timesOf } from './decisions/agent-times.ts';

/** Most calls and callbacks of a day. */
const MAX_CALLS = 1_000;
const MAX_CALLBACKS = 200;

/** An agent and a day of the business time zone, today when absent. */
export interface AgentDayQuestion {
  agentId: number;
  date?: string | undefined;
}

/**
 * Reads what an agent did on one day: its states in their order, its calls, its callbacks, and sums as `getAgentStats` adds them up.
 *
 * Errors: INVALID_ARGUMENT for a date that does not exist, or one to come; FORBIDDEN for another user's agent; NOT_FOUND
 * Source: D14.11
 */
export async function getAgentDay(app: AgentStatsApp, caller: Caller, { agentId, date }: AgentDayQuestion): Promise<AgentDay> {
  const { id, name, groupId } = await requireActingFor(app, caller, agentId);
  const day = dayOf(app, date);
  const of = { agentId: id, from: day.from, to: day.to };
  const [stats, states, calls, callbacks] = await Promise.all([
    getAgentStats(app, caller, of),
    readStates(app.db, of),
    readCalls(app.db, of),
    readCallbacks(app.db, { ...of, to: day.endsAt }),
  ]);
  const sums = stats.rows[0] ?? { ...NOTHING, agentId: id, name, groupId };
  return {
    date: day.date,
    timeZone: app.timeZone,
    from: day.from,
    to: day.to,
    sums,
    states: states.map(({ state, reason, from, to }) => ({ state, reason, from, to })),
    calls: withWrapUps(calls, states),
    callbacks,
  };
}

const NOTHING: Omit<AgentStatsRow, 'agentId' | 'name' | 'groupId'> = { offered: 0, answered: 0, missed: 0, talkSeconds: 0, ...timesOf([]) };

/** The bounds of a day, UTC ms; `to` is now on the current one. */
function dayOf({ clock, timeZone }: Pick<AgentStatsApp, 'clock' | 'timeZone'>, date: string | undefined) {
  const today = localTimeAt(timeZone, clock.now()).day;
  const day = date === undefined ? today : parseDate(date);
  if (day === null) throw invalidArgument('date', 'date');
  if (day > today) throw invalidArgument('date', 'atMost', { max: dateText(today) });
  const endsAt = startOfDay(timeZone, day + 1);
  return { date: dateText(day), from: startOfDay(timeZone, day), to: Math.min(endsAt, clock.now()), endsAt };
}

interface Of {
  agentId: number;
  /** UTC ms, `to` excluded. */
  from: number;
  to: number;
}

/** The channel of the agent in the call that a wrap-up follows. */
type DayState = AgentDay['states'][number] & { legUuid: string | null };

/** Each state lasts until the next one; that in which the agent entered the day began before it. */
function readStates(db: Sql, { agentId, from, to }: Of): Promise<DayState[]> {
  return db.rows(sql<DayState>`
    select own.state, own.reason, own.leg_uuid, greatest(own.began, ${instant(from)}) as "from", own.ended as "to" from (
      select s.state, s.reason, case when s.state = 'wrap_up' then coalesce(s.reservation->>'legUuid', s.reservation->>'fence') end as leg_uuid, s.created_at as began, s.id,
        lag(s.created_at, 1, ${instant(to)}) over (order by s.created_at desc, s.id desc) as ended
      from agent_state s where s.agent_id = ${agentId} and s.created_at < ${instant(to)} and s.created_at >= coalesce((
        select p.created_at from agent_state p where p.agent_id = ${agentId} and p.created_at <= ${instant(from)} order by p.created_at desc limit 1),
        ${instant(from)})) own
    where own.ended > greatest(own.began, ${instant(from)}) order by own.began, own.id`);
}

type DayCall = Omit<AgentDayCall, 'wrapUpSeconds'> & { legUuids: string[] };

const IS_MISSED = sql<boolean>`coalesce(
  s.answered_at is null and s.ended_at is not null and l.role = 'agent' and not (l.end_cause = any(${texts(NOT_MISSED)})), false)`;

/** What `agentStats` counts, call by call; a ring that the customer ended is listed too, and counts nowhere. */
function readCalls(db: Sql, { agentId, from, to }: Of): Promise<DayCall[]> {
  return db.rows(sql<DayCall>`
    select s.id as call_id, s.attempt_id, s.direction, s.campaign_id, m.name as campaign_name, s.contact_id, k.customer_name,
      coalesce(a.phone_number, s.phone_number) as phone_number, s.created_at as started_at, s.answered_at, s.ended_at,
      ${TALKED} as is_answered, ${IS_MISSED} as is_missed,
      case when ${TALKED} then coalesce(s.duration_seconds, extract(epoch from now() - s.answered_at)::int) else 0 end as talk_seconds,
      array(select g.leg_uuid::text from leg g where g.softphone_call_id = s.id) as leg_uuids,
      (select v.label from call_disposition v where v.agent_id = s.agent_id and (v.softphone_call_id = s.id or v.attempt_id = s.attempt_id)
        order by v.updated_at desc, v.id desc limit 1) as disposition
    from softphone_call s left join leg l on l.softphone_call_id = s.id and l.conference_id is not null
      left join campaign m on m.id = s.campaign_id left join attempt a on a.id = s.attempt_id
      left join contact k on k.id = coalesce(s.contact_id, a.contact_id)
    where s.agent_id = ${agentId} and s.created_at >= ${instant(from)} and s.created_at < ${instant(to)}
    order by s.created_at, s.id limit ${MAX_CALLS}`);
}

/** A wrap-up belongs to the call in which its channel was. */
function withWrapUps(calls: readonly DayCall[], states: readonly DayState[]): AgentDayCall[] {
  const seconds = new Map<string, number>();
  for (const { state, legUuid, from, to } of states)
    if (state === 'wrap_up' && legUuid !== null) seconds.set(legUuid, (seconds.get(legUuid) ?? 0) + (to - from) / 1_000);
  return calls.map(({ legUuids, ...call }) => ({
    ...call,
    wrapUpSeconds: Math.round(legUuids.reduce((sum, uuid) => sum + (seconds.get(uuid) ?? 0), 0)),
  }));
}

function readCallbacks(db: Sql, { agentId, from, to }: Of): Promise<AgentDay['callbacks']> {
  return db.rows(sql<AgentDay['callbacks'][number]>`
    select b.id as callback_id, b.campaign_id, b.contact_id, k.customer_name, k.phone_number, b.due_at, b.note, b.status
    from callback b join contact k on k.id = b.contact_id
    where b.agent_id = ${agentId} and b.due_at >= ${instant(from)} and b.due_at < ${instant(to)} order by b.due_at, b.id limit ${MAX_CALLBACKS}`);
}
