import { sql } from 'kysely';
import { isInCall, lockNumbers } from '#dialling/queue-conditions.ts';
import { systemClock } from '#kernel/clock.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { LegChange } from '#legs/leg-record.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { instant, texts } from '#platform/postgres/values.ts';
import { type Freed, notifyFreed } from '#policies/holds.ts';
import { countCommit, endStaleLegs, freeOf, LEG, locked, many, one, writeLeg, writeSession } from './conference-rows.ts';
import type {
  AdoptedLeg,
  ConferenceChange,
  ConferenceLeg,
  ConferenceSession,
  ConferenceStore,
  NewConference,
  NewConferenceLeg,
  TransferableCall,
} from './conference.ts';

/** Limit of customers per statement when concurrent look-ups are combined. */
const MAX_CUSTOMERS = 100;
/** Limit of channels per combined look-up, and how long a look-up waits for others, ms. */
const MAX_CHANNELS = 500;
const CHANNEL_LINGER_MS = 10;

type Decide = Parameters<ConferenceStore['addLeg']>[1];

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
    callsOf: userId => callsOf(db, userId),
    addLeg: (leg, decide) => db.transaction(inside => addLeg(inside, leg, decide)),
    adoptLeg: (leg, decide) => db.transaction(inside => adoptLeg(inside, leg, decide)),
    async changeLeg(legUuid, decide) {
      const change = await db.transaction(inside => changeLeg(inside, legUuid, decide));
      if (change?.isNew && change.leg.status === 'ended') notifyFreed(freed, await freeOf(db, [change.leg.softphoneCallId]));
      return change;
    },
    setMemberCount: (name, size, count) => countMembers(db, name, size, count),
    async setRecording(id, url) {
      const isKept =
        (await db.run(sql`update conference_session set recording_url = ${url} where id = ${id} and not recording_failed`)) > 0;
      if (isKept) await db.run(sql`update softphone_call set recording_url = ${url} where conference_id = ${String(id)}`);
    },
    listEndedSince: (at, limit) => many(db, sql`s.ended_at >= ${instant(at)} order by s.id desc limit ${limit}`),
    recordGone: (uuid, at) => db.transaction(inside => recordGone(inside, uuid, at)),
    findCall: call => findCall(db, call),
  };
}

/** Most of a user's newest calls that are looked through. */
const MAX_OWN_CALLS = 50;

async function callsOf(db: Sql, userId: number): Promise<string[]> {
  const rows = await db.rows(sql<{ requestId: string }>`
    select distinct on (s.request_id) s.request_id
    from (select conference_id from softphone_call where user_id = ${userId} order by id desc limit ${MAX_OWN_CALLS}) own
    join conference_session s on s.id::text = own.conference_id
    where s.request_id is not null`);
  return rows.map(({ requestId }) => requestId);
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
  await countCommit(inside, session.id);
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
  await countCommit(inside, session.id);
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
