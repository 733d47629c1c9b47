import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Leg } from '#legs/leg-record.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids, instant, json } from '#platform/postgres/values.ts';
import { freeNumbers } from '#policies/holds.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';

const SESSION = sql`
  s.id, s.conference_name, s.kind, s.status, s.request_id, s.attempt_id, s.campaign_id, s.customer_uuid, s.customer_state, s.cell_id,
  s.preferred_agent_id, s.only_preferred, s.group_id, s.intervention_id, s.reason, s.tried_agent_ids,
  s.member_count, s.recording_url, s.recording_failed, s.answered_at, s.ended_at, s.end_cause, s.created_at, s.updated_at`;

export const LEG = sql`
  l.softphone_call_id, l.conference_id, l.role, l.mode, l.agent_id, l.target_number, l.leg_uuid, l.asked_by_call_id, l.holds_slot, l.status,
  l.member_id, l.can_speak, l.dialing_at, l.joined_at, l.ended_at, l.end_cause, l.created_at,
  (select a.name from agent a where a.id = l.agent_id) as agent_name,
  (select c.request_id from softphone_call c where c.id = l.softphone_call_id) as fence,
  (select c.user_id from softphone_call c where c.id = l.softphone_call_id) as user_id`;

export interface ConferenceActorRow {
  session: ConferenceSession;
  version: number;
  commandIds: string[];
}

/** Limit of legs read per session: the open ones and the newest of the others. */
const MAX_LEGS = 200;

export async function one(db: Sql, where: RawBuilder<unknown>): Promise<ConferenceSession | null> {
  const [session] = await many(db, sql`${where} limit 1`);
  return session ?? null;
}

/** A session with its legs, all of them locked, the session first. */
export async function locked(inside: Sql, where: RawBuilder<unknown>): Promise<ConferenceSession | null> {
  const [session] = await many(inside, sql`${where} limit 1`, { lock: FOR_UPDATE });
  return session ?? null;
}

const FOR_UPDATE = sql`for update`;
const ACTOR = sql`, s.actor_version, s.actor_commands`;

/** A session with the columns of its actor; `isLocked` as in `locked`. The version is never newer than the legs. */
export async function findActor(db: Sql, id: number, { isLocked }: { isLocked: boolean }): Promise<ConferenceActorRow | null> {
  const more = { lock: isLocked ? FOR_UPDATE : sql``, columns: ACTOR };
  const [row] = await many<{ actorVersion: number; actorCommands: string[] }>(db, sql`s.id = ${id}`, more);
  if (!row) return null;
  const { actorVersion, actorCommands, ...session } = row;
  return { session, version: actorVersion, commandIds: actorCommands };
}

export async function many<More = unknown>(
  db: Pick<Sql, 'rows'>,
  where: RawBuilder<unknown>,
  { lock = sql``, columns = sql`` }: { lock?: RawBuilder<unknown>; columns?: RawBuilder<unknown> } = {},
): Promise<(ConferenceSession & More)[]> {
  const sessions = await db.rows(
    sql<Omit<ConferenceSession, 'legs'> & More>`select ${SESSION} ${columns} from conference_session s where ${where} ${lock}`,
  );
  if (sessions.length === 0) return [];
  const legs = await db.rows(sql<ConferenceLeg>`
    select ${LEG} from leg l where l.conference_id = any(${ids(sessions.map(({ id }) => id))})
    order by (l.status = 'ended'), l.softphone_call_id limit ${MAX_LEGS * sessions.length} ${lock}`);
  const bySession = Map.groupBy(legs, leg => leg.conferenceId);
  return sessions.map(session => ({ ...session, legs: bySession.get(session.id) ?? [] }));
}

/** Writes a session and those of its legs that have changed; `before` are the locked rows. Returns the calls that have ended with it. */
export async function writeSession(inside: Sql, before: ConferenceSession, session: ConferenceSession): Promise<number[]> {
  const changed = changedLegs(before, session);
  for (const { earlier, leg } of changed) await writeLeg(inside, earlier, leg);
  const { id, status, customerState, triedAgentIds, recordingFailed, answeredAt, endedAt, endCause } = session;
  await inside.run(sql`
    update conference_session set status = ${status}, customer_state = ${customerState}, tried_agent_ids = ${ids(triedAgentIds)}::int[],
      recording_failed = ${recordingFailed}, recording_url = case when ${recordingFailed} then null else recording_url end,
      answered_at = ${instant(answeredAt)}, ended_at = ${instant(endedAt)}, end_cause = ${endCause},
      member_count = case when ${status} = 'ended' then 0 else member_count end
    where id = ${id}`);
  if (recordingFailed && !before.recordingFailed)
    await inside.run(sql`update softphone_call set recording_url = null where conference_id = ${String(id)}`);
  return changed.flatMap(({ earlier, leg }) => (leg.status === 'ended' && earlier.status !== 'ended' ? [leg.softphoneCallId] : []));
}

export function changedLegs(before: ConferenceSession, after: ConferenceSession): { earlier: ConferenceLeg; leg: ConferenceLeg }[] {
  return after.legs.flatMap(leg => {
    const earlier = before.legs.find(each => each.legUuid === leg.legUuid);
    return earlier && !isDeepStrictEqual(earlier, leg) ? [{ earlier, leg }] : [];
  });
}

export async function writeLeg(inside: Sql, before: Leg, leg: Leg): Promise<void> {
  const { softphoneCallId, conferenceId, legUuid, status, mode, memberId, canSpeak, dialingAt, joinedAt, endedAt, endCause } = leg;
  await inside.run(sql`
    update leg set status = ${status}, mode = ${mode}, member_id = ${memberId}, can_speak = ${canSpeak},
      dialing_at = coalesce(dialing_at, ${instant(dialingAt)}), joined_at = ${instant(joinedAt)}, ended_at = ${instant(endedAt)}, end_cause = ${endCause}
    where leg_uuid = ${legUuid}`);
  // The record of an agent's own call is written by its actor.
  if (status === before.status || conferenceId === null) return;
  if (status === 'ringing')
    await inside.run(sql`update softphone_call set status = 'ringing' where id = ${softphoneCallId} and status = 'created'`);
  if (status === 'joined') await answerCall(inside, leg);
  if (status === 'ended') await closeCalls(inside, [softphoneCallId], { at: endedAt ?? 0, cause: endCause ?? '' });
}

/** Records for a browser phone's session that its customer has joined. */
async function answerCall(inside: Sql, { softphoneCallId, role, mode, askedByCallId, joinedAt }: Leg): Promise<void> {
  const at = instant(joinedAt);
  if (role === 'external' && mode === 'session' && askedByCallId !== null) {
    await inside.run(sql`
      insert into softphone_event (softphone_call_id, kind, data) values (${askedByCallId}, 'session', ${json({ status: 'customer_joined' })})`);
  }
  await inside.run(sql`
    update softphone_call set status = 'answered', answered_at = ${at}
    where id = ${softphoneCallId} and status in ('created','ringing','dialing')`);
}

interface End {
  /** UTC ms. */
  at: number;
  cause: string;
}

/** Closes a leg and its softphone call. */
async function endLeg(inside: Sql, legUuid: string, end: End): Promise<void> {
  const leg = await inside.first(sql<{ callId: number }>`
    update leg set status = 'ended', ended_at = ${instant(end.at)}, end_cause = ${end.cause}
    where leg_uuid = ${legUuid} and status <> 'ended' returning softphone_call_id as call_id`);
  if (leg) await closeCalls(inside, [leg.callId], end);
}

/**
 * Closes older legs of an agent: a new reservation proves that they have ended, even if their events were lost. Their sessions count it as a
 * commit, so that none of them overwrites the end with what it read before.
 */
export async function endStaleLegs(inside: Sql, agentId: number): Promise<void> {
  const stale = await inside.rows(sql<{ legUuid: string; conferenceId: number; at: number }>`
    select leg_uuid, conference_id, now() as at from leg where agent_id = ${agentId} and conference_id is not null and status <> 'ended'`);
  for (const { legUuid, conferenceId, at } of stale) {
    await countCommit(inside, conferenceId);
    await endLeg(inside, legUuid, { at, cause: 'SUPERSEDED' });
  }
}

/** A leg that never joined counts as failed, any other as completed. The end of a browser phone's session is recorded once, in the same step. */
async function closeCalls(inside: Sql, callIds: readonly number[], { at, cause }: End): Promise<void> {
  if (callIds.length === 0) return;
  await inside.run(sql`
    with closed as (
      update softphone_call set status = case when answered_at is null then 'failed' else 'completed' end, ended_at = ${instant(at)},
        hangup_cause = ${cause},
        duration_seconds = case when answered_at is null then 0 else greatest(0, round(extract(epoch from ${instant(at)} - answered_at)))::int end
      where id = any(${[...callIds]}::bigint[]) and ended_at is null returning id, direction)
    insert into softphone_event (softphone_call_id, kind, data)
    select id, 'session', ${json({ status: 'ended', cause })} from closed where direction = 'session'`);
}

/** Command ids that a conference remembers. */
const KEPT_COMMANDS = 8;

/** Raises the version of a session's actor with each change of its rows, and remembers the command that made it. */
export async function countCommit(inside: Sql, conferenceId: number, commandId: string | null = null): Promise<void> {
  const commands = sql`array_remove(actor_commands || ${commandId}::text, null)`;
  await inside.run(sql`
    update conference_session set actor_version = actor_version + 1,
      actor_commands = (${commands})[greatest(1, cardinality(${commands}) + ${1 - KEPT_COMMANDS}::int):]
    where id = ${conferenceId}`);
}

/** Releases contacts that waited for the end of these calls: the participants called in, and the customers they talked to. */
export async function freeOf(inside: Sql, callIds: readonly number[]): Promise<{ campaignId: number }[]> {
  if (callIds.length === 0) return [];
  return inside.rows(
    freeNumbers(sql`
      select s.dial_key from softphone_call s where s.id = any(${ids(callIds)}) and s.dial_key <> ''
      union select a.dial_key from softphone_call s join attempt a on a.id = s.attempt_id where s.id = any(${ids(callIds)})`),
  );
}
