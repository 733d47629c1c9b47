import { type RawBuilder, sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import { ALL_NUMBERS } from '#contacts/contact-number-statements.ts';
import { SOFTPHONE_OPEN } from '#contacts/contact-store.ts';
import { findNumberHolder } from '#dialling/plan-statements.ts';
import { isInCall, lockNumbers } from '#dialling/queue-conditions.ts';
import { isListed } from '#do-not-call/entry-conditions.ts';
import { concludeAgentCallback } from '#callbacks/agent-callbacks.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { isUniqueViolation } from '#platform/postgres/failures.ts';
import { listOf, type Table } from '#platform/postgres/listing.ts';
import { instant, json, uuids } from '#platform/postgres/values.ts';
import { type Freed, freeNumbers, notifyFreed } from '#policies/holds.ts';
import type { CallTargets, NewSoftphoneCall, SoftphoneCall, SoftphoneEnd, SoftphoneStore, TargetContact } from './agent-call.ts';

/** Columns of `softphone_call s` as in SoftphoneCall; the legs are JSON. */
const SOFTPHONE_COLUMNS = sql<SoftphoneCall>`
  s.id, s.request_id, s.direction, s.status, s.agent_id, s.user_id, s.campaign_id, s.contact_id, s.attempt_id, s.session_id, s.conference_id,
  s.phone_number, s.dial_key, s.line_id, s.caller_number, s.cell_id, s.note, s.call_status, s.hangup_cause, s.hangup_by, s.failure_reason,
  s.answered_at, s.ended_at, s.duration_seconds, s.recording_url, s.created_at, s.updated_at,
  (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'role', l.role, 'legUuid', l.leg_uuid, 'agentId', l.agent_id, 'cellId', l.cell_id,
      'status', case l.status when 'joined' then 'answered' else l.status end, 'dialingAt', epoch_ms(l.dialing_at),
      'answeredAt', epoch_ms(l.joined_at), 'endedAt', epoch_ms(l.ended_at), 'hangupCause', l.end_cause) order by l.id), '[]'::jsonb)
    from leg l where l.softphone_call_id = s.id and l.conference_id is null) as legs`;

export const SOFTPHONE_TABLE = {
  columns: SOFTPHONE_COLUMNS,
  from: sql`softphone_call s`,
  id: sql`s.id`,
  exists: sql`true`,
} satisfies Table<unknown>;

/** Restricts ordinary agents to their own calls; users who may dispatch see all calls. `getSoftphoneCall` has the same rule. */
export function ownCallsOf({ permissions, userId }: Caller): Pick<SoftphoneFilter, 'userId'> {
  return permissions.has('campaign:dispatch') ? {} : { userId: userId ?? NOBODY };
}

/** An id that no user has. */
const NOBODY = 0;

/** Source: OCS 4.13, 4.14 */
export const softphoneCallList = listOf(SOFTPHONE_TABLE, ({ from, to, dialKey, ...filter }: SoftphoneFilter) => {
  const { userId, agentId, campaignId, status, direction } = filter;
  const given = { user_id: userId, agent_id: agentId, campaign_id: campaignId, status, direction };
  const equal = Object.entries(given).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${sql.ref(`s.${column}`)} = ${value}`],
  );
  const others = [
    ...(dialKey === undefined ? [] : [sql`s.dial_key = ${dialKey} and s.dial_key <> ''`]),
    ...(from === undefined ? [] : [sql`s.created_at >= ${instant(from)}`]),
    ...(to === undefined ? [] : [sql`s.created_at < ${instant(to)}`]),
  ];
  return sql.join([sql`true`, ...equal, ...others], sql` and `);
});

interface SoftphoneFilter {
  /** Only calls of this user. */
  userId?: number | undefined;
  agentId?: number | undefined;
  campaignId?: number | undefined;
  status?: SoftphoneCall['status'] | undefined;
  direction?: SoftphoneCall['direction'] | undefined;
  /** Normalised number (`dialKey`). */
  dialKey?: string | undefined;
  /** Requested at or after `from` and before `to`; UTC ms */
  from?: number | undefined;
  to?: number | undefined;
}

/** `freed` is called with the campaigns whose contacts waited for an ended call. */
export function softphoneRepository(db: Database, freed: Freed = () => undefined): SoftphoneStore {
  const first = async (where: RawBuilder<unknown>) =>
    (await db.first(sql<SoftphoneCall>`select ${SOFTPHONE_COLUMNS} from softphone_call s where ${where}`)) ?? null;
  return {
    find: softphoneCallId => first(sql`s.id = ${softphoneCallId}`),
    create: call => unlessContactBusy(() => db.transaction(tx => create(tx, call))),
    markDialing: async legUuid =>
      (await db.run(sql`
        update leg l set status = 'dialing', dialing_at = now() from softphone_call s
        where l.leg_uuid = ${legUuid} and l.status = 'reserved' and s.id = l.softphone_call_id and ${SOFTPHONE_OPEN}
          and (l.role <> 'customer' or not ${isListed(sql`s.dial_key`)})`)) === 1,
    isWithdrawn: async legUuid =>
      (await db.first(sql`
        select 1 from leg l join softphone_call s on s.id = l.softphone_call_id
        where l.leg_uuid = ${legUuid} and l.status = 'reserved' and ${SOFTPHONE_OPEN}`)) !== undefined,
    advance: (softphoneCallId, status, facts) => advance(db, softphoneCallId, status, facts?.answeredAt ?? null),
    async close(softphoneCallId, end) {
      const waiting = await db.transaction(tx => close(tx, softphoneCallId, end));
      notifyFreed(freed, waiting ?? []);
      return waiting !== null;
    },
    listOpen: (afterId, limit) =>
      db.rows(sql<SoftphoneCall>`
        select ${SOFTPHONE_COLUMNS} from softphone_call s
        where ${SOFTPHONE_OPEN} and s.id > ${afterId} and s.direction in ('manual_call','callback','transfer') order by s.id limit ${limit}`),
    listHolding: (afterId, limit) =>
      db.rows(sql<SoftphoneCall>`
        select ${SOFTPHONE_COLUMNS} from softphone_call s
        where ${SOFTPHONE_OPEN} and s.id > ${afterId} and (s.direction in ('manual_call','callback','transfer')
          or exists (select 1 from leg l where l.softphone_call_id = s.id and l.holds_slot))
        order by s.id limit ${limit}`),
    findOpen: requestIds =>
      db.rows(sql<SoftphoneCall>`
        select ${SOFTPHONE_COLUMNS} from softphone_call s where s.request_id = any(${uuids(requestIds)}) and ${SOFTPHONE_OPEN}`),
  };
}

export function callTargets(db: Database): CallTargets {
  return {
    async findContact(contactId) {
      const row = await db.first(sql<TargetContact>`
        select k.id, k.campaign_id, k.phone_number, k.dial_key, ${ALL_NUMBERS} as numbers from contact k where k.id = ${contactId} and k.deleted_at is null`);
      return row ?? null;
    },
    isListed: dialKey => findListed(db, dialKey),
    holderOf: dialKey => findNumberHolder(db, dialKey),
  };
}

/** Locks the contact's row and its number first: a claim or another agent's call is decided before or after this one, not concurrently. */
async function create(tx: Sql, call: NewSoftphoneCall): Promise<Awaited<ReturnType<SoftphoneStore['create']>>> {
  const contactId = call.contactId ?? null;
  if (contactId !== null && call.direction !== 'conference') {
    await tx.first(sql`select 1 from contact where id = ${contactId} for no key update`);
    const busy = await tx.first(sql`
      select 1 from attempt a where a.contact_id = ${contactId} and ${OPEN}
      union all select 1 from softphone_call s where s.contact_id = ${contactId} and s.direction <> 'conference' and ${SOFTPHONE_OPEN}`);
    if (busy) return 'contact_busy';
  }
  const { phoneNumber, dialKey } = call.number ?? { phoneNumber: '', dialKey: '' };
  if (dialKey !== '' && call.direction !== 'conference') {
    await tx.run(lockNumbers([dialKey]));
    if (await tx.first(sql`select 1 where ${isInCall(sql`${dialKey}::text`)}`)) return 'number_busy';
  }
  if (call.checkDoNotCall === true && (await findListed(tx, dialKey))) return 'listed';
  const row = await tx.first(sql<{ id: number }>`
    insert into softphone_call (request_id, direction, status, agent_id, user_id, campaign_id, contact_id, attempt_id, session_id, conference_id,
      phone_number, dial_key, line_id, caller_number, cell_id, note, callback_id)
    values (${call.requestId}, ${call.direction}, 'created', ${call.agentId}, ${call.userId}, ${call.campaignId ?? null}, ${contactId},
      ${call.attemptId ?? null}, ${call.sessionId ?? null}, ${call.conferenceId ?? null}, ${phoneNumber}, ${dialKey}, ${call.lineId ?? null},
      ${call.callerNumber ?? null}, ${call.cellId ?? null}, ${call.note ?? ''}, ${promiseKeptBy(call)})
    returning id`);
  if (!row) throw new Error('insert returned no row');
  await tx.run(sql`
    insert into leg (softphone_call_id, role, leg_uuid, agent_id, cell_id, status)
    select ${row.id}, l.role, l."legUuid", l."agentId", l."cellId", 'reserved'
    from jsonb_to_recordset(${json(call.legs)}) as l(role text, "legUuid" text, "agentId" int, "cellId" text)`);
  const created = await tx.first(sql<SoftphoneCall>`select ${SOFTPHONE_COLUMNS} from softphone_call s where s.id = ${row.id}`);
  if (!created) throw new Error('a written call is gone');
  return created;
}

/** An agent's callback keeps what its contact was promised. */
function promiseKeptBy({ direction, contactId = null }: NewSoftphoneCall): RawBuilder<number | null> {
  if (direction !== 'callback' || contactId === null) return sql`null::bigint`;
  return sql`(select b.id from callback b where b.contact_id = ${contactId} and b.status = 'promised')`;
}

async function findListed(tx: Sql, key: string): Promise<boolean> {
  return (await tx.first(sql`select 1 where ${isListed(sql`${key}::text`)}`)) !== undefined;
}

/** A late status never moves the call back; a late answer still sets the answer time. */
async function advance(db: Sql, softphoneCallId: number, status: string, answeredAt: number | null): Promise<boolean> {
  const touched = await db.run(sql`
    update softphone_call s set
      status = case when array_position(array['created','ringing','dialing','answered'], ${status}::text)
        > array_position(array['created','ringing','dialing','answered'], s.status) then ${status}::text else s.status end,
      answered_at = coalesce(s.answered_at, ${instant(answeredAt)})
    where s.id = ${softphoneCallId} and ${SOFTPHONE_OPEN}`);
  return touched === 1;
}

/** Returns the contacts that waited for the end of the call; null when it was closed before. */
async function close(tx: Sql, softphoneCallId: number, end: SoftphoneEnd): Promise<{ campaignId: number }[] | null> {
  const closed = await tx.first(sql<{ direction: string; dialKey: string }>`
    update softphone_call s set status = ${end.status}, ended_at = ${instant(end.endedAt)}, call_status = ${end.callStatus ?? null},
      hangup_cause = ${end.hangupCause ?? null}, hangup_by = ${end.hangupBy ?? null}, failure_reason = ${end.failureReason ?? null},
      duration_seconds = coalesce(greatest(0, round(extract(epoch from ${instant(end.endedAt)} - s.answered_at)))::int, 0)
    where s.id = ${softphoneCallId} and ${SOFTPHONE_OPEN} returning s.direction, s.dial_key`);
  if (!closed) return null;
  if (closed.direction === 'session') {
    await tx.run(sql`
      insert into softphone_event (softphone_call_id, kind, data)
      values (${softphoneCallId}, 'session', ${json({ status: 'ended', cause: end.hangupCause ?? null })})`);
  }
  await tx.run(sql`
    update leg set status = 'ended', ended_at = coalesce(ended_at, ${instant(end.endedAt)})
    where softphone_call_id = ${softphoneCallId} and conference_id is null and status <> 'ended'`);
  if (closed.direction === 'callback') await concludeAgentCallback(tx, softphoneCallId, end);
  return closed.dialKey === '' ? [] : tx.rows(freeNumbers(sql`select ${closed.dialKey}::text`));
}

async function unlessContactBusy<T>(work: () => Promise<T>): Promise<T | 'contact_busy'> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'softphone_call_one_open')) return 'contact_busy';
    throw error;
  }
}
