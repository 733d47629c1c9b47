import { type RawBuilder, sql } from 'kysely';
import { isInCall, lockNumbers } from '#dialling/queue-conditions.ts';
import { systemClock } from '#kernel/clock.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { Leg, LegChange } from '#legs/leg-record.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { ids, instant, json, texts } from '#platform/postgres/values.ts';
import { type Freed, freeNumbers, notifyFreed } from '#policies/holds.ts';
import type {
  AdoptedLeg,
  ConferenceChange,
  ConferenceKey,
  ConferenceLeg,
  ConferenceSession,
  ConferenceStore,
  NewConference,
  NewConferenceLeg,
  TransferableCall,
} from './conference.ts';

const SESSION = sql`
  s.id, s.conference_name, s.kind, s.status, s.request_id, s.attempt_id, s.campaign_id, s.customer_uuid, s.customer_state, s.cell_id,
  s.preferred_agent_id, s.only_preferred, s.group_id, s.intervention_id, s.reason, s.tried_agent_ids,
  s.member_count, s.recording_url, s.recording_failed, s.answered_at, s.ended_at, s.end_cause, s.created_at, s.updated_at`;

const LEG = sql`
  l.softphone_call_id, l.conference_id, l.role, l.mode, l.agent_id, l.target_number, l.leg_uuid, l.asked_by_call_id, l.holds_slot, l.status,
  l.member_id, l.can_speak, l.dialing_at, l.joined_at, l.ended_at, l.end_cause, l.created_at,
  (select a.name from agent a where a.id = l.agent_id) as agent_name,
  (select c.request_id from softphone_call c where c.id = l.softphone_call_id) as fence`;

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

/** Closes older legs of an agent: a new reservation proves that they have ended, even if their events were lost. */
async function endStaleLegs(inside: Sql, agentId: number): Promise<void> {
  const stale = await inside.rows(sql<{ legUuid: string; at: number }>`
    select leg_uuid, now() as at from leg where agent_id = ${agentId} and conference_id is not null and status <> 'ended'`);
  for (const { legUuid, at } of stale) await endLeg(inside, legUuid, { at, cause: 'SUPERSEDED' });
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

/** Limit of legs read per session: the open ones and the newest of the others. */
const MAX_LEGS = 200;
/** Limit of customers per statement when concurrent look-ups are combined. */
const MAX_CUSTOMERS = 100;
/** Limit of channels per combined look-up, and how long a look-up waits for others, ms. */
const MAX_CHANNELS = 500;
const CHANNEL_LINGER_MS = 10;

type Decide = Parameters<ConferenceStore['change']>[1];

/** `freed` is called with the campaigns whose contacts waited for an ended call. */
export function conferenceRepository(db: Database, freed: Freed = () => undefined): ConferenceStore {
  const ofCustomer = sessionsOfCustomers(db);
  const ofLeg = sessionIdsOfLegs(db);
  return {
    open: conference => db.transaction(inside => openSession(inside, conference)),
    find: id => one(db, sql`s.id = ${id}`),
    findByCustomer: uuid => ofCustomer.add(uuid),
    findByCustomers: uuids => runningOf(db, uuids),
    async findByLeg(uuid) {
      const id = await ofLeg.add(uuid);
      return id === null ? null : one(db, sql`s.id = ${id}`);
    },
    findByName: name => one(db, sql`s.conference_name = ${name}`),
    listRunning: limit => many(db, sql`s.status <> 'ended' order by s.id desc limit ${limit}`),
    async change(key, decide) {
      const { change, ended } = await db.transaction(inside => changeSession(inside, key, decide));
      await freeOf(db, freed, ended);
      return change;
    },
    addLeg: (leg, decide) => db.transaction(inside => addLeg(inside, leg, decide)),
    adoptLeg: (leg, decide) => db.transaction(inside => adoptLeg(inside, leg, decide)),
    async changeLeg(legUuid, decide) {
      const change = await db.transaction(inside => changeLeg(inside, legUuid, decide));
      if (change?.isNew && change.leg.status === 'ended') await freeOf(db, freed, [change.leg.softphoneCallId]);
      return change;
    },
    setMemberCount: (name, size, count) => countMembers(db, name, size, count),
    async setRecording(id, url) {
      const isKept =
        (await db.run(sql`update conference_session set recording_url = ${url} where id = ${id} and not recording_failed`)) > 0;
      if (isKept) await db.run(sql`update softphone_call set recording_url = ${url} where conference_id = ${String(id)}`);
    },
    failRecording: name => db.transaction(inside => failRecording(inside, name)),
    listEndedSince: (at, limit) => many(db, sql`s.ended_at >= ${instant(at)} order by s.id desc limit ${limit}`),
    recordGone: (uuid, at) => db.transaction(inside => recordGone(inside, uuid, at)),
    findCall: call => findCall(db, call),
  };
}

/** Called for the customer of every call event; usually finds nothing. */
function runningOf(db: Database, customerUuids: readonly string[]): Promise<ConferenceSession[]> {
  return many(db.hot, sql`s.customer_uuid = any(${texts(customerUuids)}) and s.status <> 'ended'`);
}

/** Combines the look-ups of a burst of claims into few statements; a customer has at most one running session. */
function sessionsOfCustomers(db: Database): MicroBatcher<string, ConferenceSession | null> {
  return new MicroBatcher({
    maxBatch: MAX_CUSTOMERS,
    async write(customerUuids) {
      const sessions = new Map((await runningOf(db, [...new Set(customerUuids)])).map(session => [session.customerUuid, session]));
      return customerUuids.map(uuid => sessions.get(uuid) ?? null);
    },
  });
}

/** Called for the channel of every call event; hardly any is a leg. */
function sessionIdsOfLegs(db: Database): MicroBatcher<string, number | null> {
  return new MicroBatcher({
    maxBatch: MAX_CHANNELS,
    linger: leave => systemClock.schedule(CHANNEL_LINGER_MS, leave),
    inTurn: true,
    async write(uuids) {
      const rows = await db.hot.rows(sql<{ legUuid: string; conferenceId: number | null }>`
        select leg_uuid, conference_id from leg where leg_uuid = any(${texts(uuids)})`);
      const idOf = new Map(rows.map(({ legUuid, conferenceId }) => [legUuid, conferenceId]));
      return uuids.map(uuid => idOf.get(uuid) ?? null);
    },
  });
}

async function one(db: Sql, where: RawBuilder<unknown>): Promise<ConferenceSession | null> {
  const [session] = await many(db, sql`${where} limit 1`);
  return session ?? null;
}

/** A session with its legs, all of them locked, the session first. */
async function locked(inside: Sql, where: RawBuilder<unknown>): Promise<ConferenceSession | null> {
  const [session] = await many(inside, sql`${where} limit 1`, sql`for update`);
  return session ?? null;
}

async function many(db: Pick<Sql, 'rows'>, where: RawBuilder<unknown>, lock = sql``): Promise<ConferenceSession[]> {
  const sessions = await db.rows(sql<Omit<ConferenceSession, 'legs'>>`select ${SESSION} from conference_session s where ${where} ${lock}`);
  if (sessions.length === 0) return [];
  const legs = await db.rows(sql<ConferenceLeg>`
    select ${LEG} from leg l where l.conference_id = any(${ids(sessions.map(({ id }) => id))})
    order by (l.status = 'ended'), l.softphone_call_id limit ${MAX_LEGS * sessions.length} ${lock}`);
  const bySession = Map.groupBy(legs, leg => leg.conferenceId);
  return sessions.map(session => ({ ...session, legs: bySession.get(session.id) ?? [] }));
}

/** Orders counts by Event-Sequence within one run of the switch; across runs, and for a query, by timestamp. */
async function countMembers(db: Sql, name: string, size: number, { at, eventId }: { at: number; eventId: string | null }): Promise<void> {
  const [core = null, sequence = null] = eventId?.split(':') ?? [];
  const isNewer = sql`(counted_at is null or counted_at <= ${instant(at)})`;
  await db.run(
    core === null
      ? sql`update conference_session set member_count = ${size}, counted_at = ${instant(at)}
          where conference_name = ${name} and status <> 'ended' and ${isNewer}`
      : sql`update conference_session
          set member_count = ${size}, counted_at = ${instant(at)}, counted_core = ${core}, counted_sequence = ${sequence}::bigint
          where conference_name = ${name} and status <> 'ended'
            and case when counted_core = ${core} then counted_sequence < ${sequence}::bigint else ${isNewer} end`,
  );
}

async function failRecording(inside: Sql, name: string): Promise<number | null> {
  const failed = await inside.first(sql<{ id: number }>`
    update conference_session set recording_failed = true, recording_url = null where conference_name = ${name} and not recording_failed
    returning id`);
  if (!failed) return null;
  await inside.run(sql`update softphone_call set recording_url = null where conference_id = ${String(failed.id)}`);
  return failed.id;
}

async function openSession(inside: Sql, conference: NewConference): Promise<Awaited<ReturnType<ConferenceStore['open']>>> {
  const { customerUuid } = conference;
  if (customerUuid !== null) await oneAtATime(inside, customerUuid);
  const isGone =
    customerUuid !== null &&
    (await inside.first(sql`select 1 from conference_session where customer_uuid = ${customerUuid} and customer_state = 'gone' limit 1`));
  if (isGone) return 'gone';
  const inserted = await inside.first(sql<{ id: number }>`
    insert into conference_session (conference_name, kind, status, request_id, attempt_id, campaign_id, customer_uuid, customer_state, cell_id,
      preferred_agent_id, only_preferred, group_id, intervention_id, reason)
    values (${conference.conferenceName}, ${conference.kind}, 'routing', ${conference.requestId}, ${conference.attemptId}, ${conference.campaignId},
      ${customerUuid}, 'outside', ${conference.cellId}, ${conference.preferredAgentId}, ${conference.onlyPreferred}, ${conference.groupId},
      ${conference.interventionId}, ${conference.reason})
    on conflict (customer_uuid) where status <> 'ended' do nothing returning id`);
  const where = inserted ? sql`s.id = ${inserted.id}` : sql`s.customer_uuid = ${customerUuid} and s.status <> 'ended'`;
  const session = await one(inside, where);
  // The other session ended between the two statements: the customer hung up or the request was given up a moment ago.
  return session === null ? 'gone' : { session, isNew: inserted !== undefined };
}

/** Serialises the end of a customer's call with a request for the customer, so that the later one sees the earlier. */
async function oneAtATime(inside: Sql, customerUuid: string): Promise<void> {
  await inside.run(sql`select pg_advisory_xact_lock(hashtextextended(${customerUuid}, 0))`);
}

async function recordGone(inside: Sql, customerUuid: string, at: number): Promise<void> {
  await oneAtATime(inside, customerUuid);
  await inside.run(sql`
    insert into conference_session (conference_name, kind, status, customer_uuid, customer_state, ended_at, end_cause)
    values (${`gone-${customerUuid}`}, 'transfer', 'ended', ${customerUuid}, 'gone', ${instant(at)}, 'CUSTOMER_GONE')
    on conflict (conference_name) do nothing`);
}

/** Releases contacts that waited for the end of these calls: the participants called in, and the customers they talked to. */
async function freeOf(db: Sql, freed: Freed, callIds: readonly number[]): Promise<void> {
  if (callIds.length === 0) return;
  const keys = sql`
    select s.dial_key from softphone_call s where s.id = any(${ids(callIds)}) and s.dial_key <> ''
    union select a.dial_key from softphone_call s join attempt a on a.id = s.attempt_id where s.id = any(${ids(callIds)})`;
  notifyFreed(freed, await db.rows(freeNumbers(keys)));
}

/** `ended`: calls that this change has ended. */
async function changeSession(
  inside: Sql,
  key: ConferenceKey,
  decide: Decide,
): Promise<{ change: ConferenceChange | null; ended: readonly number[] }> {
  const before = await locked(inside, ofKey(key));
  const change = before && decide(before);
  if (!before || !change?.isNew) return { change, ended: [] };
  await writeSession(inside, before, change.session);
  const wasOpen = new Set(before.legs.filter(leg => leg.status !== 'ended').map(leg => leg.legUuid));
  const ended = change.session.legs.filter(leg => leg.status === 'ended' && wasOpen.has(leg.legUuid));
  return { change, ended: ended.map(leg => leg.softphoneCallId) };
}

function ofKey(key: ConferenceKey): RawBuilder<unknown> {
  if ('id' in key) return sql`s.id = ${key.id}`;
  return 'name' in key ? sql`s.conference_name = ${key.name}` : sql`s.id = (select conference_id from leg where leg_uuid = ${key.legUuid})`;
}

async function writeSession(inside: Sql, before: ConferenceSession, session: ConferenceSession): Promise<void> {
  for (const leg of session.legs) {
    const earlier = before.legs.find(each => each.legUuid === leg.legUuid);
    if (earlier && earlier !== leg) await writeLeg(inside, earlier, leg);
  }
  const { id, status, customerState, triedAgentIds, answeredAt, endedAt, endCause } = session;
  await inside.run(sql`
    update conference_session set status = ${status}, customer_state = ${customerState}, tried_agent_ids = ${ids(triedAgentIds)}::int[],
      answered_at = ${instant(answeredAt)}, ended_at = ${instant(endedAt)}, end_cause = ${endCause},
      member_count = case when ${status} = 'ended' then 0 else member_count end
    where id = ${id}`);
}

async function addLeg(inside: Sql, leg: NewConferenceLeg, decide: Decide): Promise<ConferenceLeg | 'number_busy' | null> {
  const session = await locked(inside, sql`s.id = ${leg.conferenceId}`);
  const change = session && decide(session);
  if (!session || !change) return null;
  const key = leg.role === 'external' ? leg.dialKey : '';
  if (key !== '' && (await isBusy(inside, key, leg.conferenceId))) return 'number_busy';
  if (leg.agentId !== null) await endStaleLegs(inside, leg.agentId);
  const call = await inside.first(sql<{ id: number }>`
    insert into softphone_call (request_id, direction, status, agent_id, user_id, campaign_id, attempt_id, conference_id, phone_number, dial_key,
      line_id, caller_number, cell_id)
    values (${leg.legUuid}, 'conference', 'created', ${leg.agentId}, ${leg.userId}, ${session.campaignId}, ${session.attemptId},
      ${String(leg.conferenceId)}, ${leg.targetNumber}, ${leg.dialKey}, ${leg.slot?.lineId ?? null}, ${leg.slot?.number ?? null}, ${session.cellId}) returning id`);
  await inside.run(sql`
    insert into leg (softphone_call_id, conference_id, role, mode, agent_id, cell_id, target_number, leg_uuid, asked_by_call_id, holds_slot, status, can_speak)
    values (${call?.id}, ${leg.conferenceId}, ${leg.role}, ${leg.mode}, ${leg.agentId}, ${session.cellId}, ${leg.targetNumber}, ${leg.legUuid}, ${leg.askedByCallId},
      ${leg.slot !== null}, 'reserved', ${leg.canSpeak})`);
  await writeSession(inside, session, change.session);
  const added = await inside.first(sql<ConferenceLeg>`select ${LEG} from leg l where l.leg_uuid = ${leg.legUuid}`);
  return added ?? null;
}

/** Whether the number is in a call outside this conference; the record of a browser phone's session holds the number of its customer. */
async function isBusy(inside: Sql, key: string, conferenceId: number): Promise<boolean> {
  await inside.run(lockNumbers([key]));
  const busy = await inside.first(sql`select 1 where ${isInCall(sql`${key}::text`, String(conferenceId))}`);
  return busy !== undefined;
}

async function adoptLeg(inside: Sql, leg: AdoptedLeg, decide: Decide): Promise<ConferenceChange | null> {
  const { conferenceId, softphoneCallId, agentId, legUuid, memberId, joinedAt } = leg;
  const session = await locked(inside, sql`s.id = ${conferenceId}`);
  const change = session && decide(session);
  if (!session || !change) return null;
  await endStaleLegs(inside, agentId);
  const added = await inside.run(sql`
    insert into leg (softphone_call_id, conference_id, role, mode, agent_id, leg_uuid, status, member_id, joined_at)
    values (${softphoneCallId}, ${conferenceId}, 'agent', 'session', ${agentId}, ${legUuid}, 'joined', ${memberId}, ${instant(joinedAt)})
    on conflict do nothing`);
  if (added === 0) return null;
  await writeSession(inside, session, change.session);
  await inside.run(
    sql`update softphone_call set status = 'answered', answered_at = ${instant(joinedAt)} where id = ${softphoneCallId} and ended_at is null`,
  );
  return change;
}

async function changeLeg(inside: Sql, legUuid: string, decide: Parameters<ConferenceStore['changeLeg']>[1]): Promise<LegChange | null> {
  const leg = await inside.first(sql<ConferenceLeg>`select ${LEG} from leg l where l.leg_uuid = ${legUuid} for update`);
  const change = leg ? decide(leg) : null;
  if (leg && change?.isNew) await writeLeg(inside, leg, change.leg);
  return change;
}

async function writeLeg(inside: Sql, before: Leg, leg: Leg): Promise<void> {
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

async function findCall(
  db: Sql,
  call: { requestId?: string | undefined; attemptId?: number | undefined },
): Promise<TransferableCall | null> {
  const where = call.requestId === undefined ? sql`id = ${call.attemptId}` : sql`request_id = ${call.requestId}`;
  const row = await db.first(sql<TransferableCall>`
    select request_id, id as attempt_id, campaign_id, cell_id, phone_number
    from attempt where ${where} and deleted_at is null`);
  return row ?? null;
}
