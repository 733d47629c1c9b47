import { sql } from 'kysely';
import type { SoftphoneEvent, SoftphoneSessionStore } from '#ports/softphone-session-store.ts';
import { endStaleLegs } from './conference-end.ts';
import type { Database, Sql } from './database.ts';
import { SOFTPHONE_OPEN } from './softphone-columns.ts';
import { instant, json } from './values.ts';

const EVENT = sql`e.id, e.softphone_call_id, e.kind, e.data, e.created_at`;

export function softphoneSessionRepository(db: Database): SoftphoneSessionStore {
  const idOf = async (statement: ReturnType<typeof sql<{ id: number }>>) => (await db.first(statement))?.id ?? null;
  return {
    findCall: sessionId => idOf(sql<{ id: number }>`select id from softphone_call where session_id = ${sessionId}::uuid`),
    findCallOfConference: conferenceId =>
      idOf(sql<{ id: number }>`select id from softphone_call where conference_id = ${String(conferenceId)} and direction = 'session'`),
    listLeftBehind: (createdBefore, limit) =>
      db.rows(sql<{ softphoneCallId: number; fence: string }>`
        select s.id as softphone_call_id, s.request_id as fence from softphone_call s
        where s.direction = 'session' and ${SOFTPHONE_OPEN} and s.created_at < ${instant(createdBefore)}
          and not exists (select 1 from conference_session c where c.id::text = s.conference_id and c.status <> 'ended')
        order by s.id limit ${limit}`),
    async attach(callId, conferenceId) {
      await db.run(sql`update softphone_call set conference_id = ${String(conferenceId)} where id = ${callId}`);
    },
    async setNote(callId, note) {
      await db.run(sql`update softphone_call set note = ${note} where id = ${callId}`);
    },
    adoptAgentLeg: leg => db.transaction(inside => adopt(inside, leg)),
    async addEvent(callId, kind, data) {
      const event = await db.first(sql<SoftphoneEvent>`
        insert into softphone_event as e (softphone_call_id, kind, data) values (${callId}, ${kind}, ${json(data)}) returning ${EVENT}`);
      if (!event) throw new Error('insert returned no row');
      return event;
    },
    eventsAfter: (callId, eventId, limit) =>
      db.rows(sql<SoftphoneEvent>`
        select ${EVENT} from softphone_event e where e.softphone_call_id = ${callId} and e.id > ${eventId} order by e.id limit ${limit}`),
  };
}

async function adopt(
  inside: Sql,
  { conferenceId, softphoneCallId, agentId, legUuid, memberId, at }: Parameters<SoftphoneSessionStore['adoptAgentLeg']>[0],
): Promise<boolean> {
  const session = await inside.first(sql`select 1 from conference_session where id = ${conferenceId} and status = 'routing' for update`);
  if (!session) return false;
  await endStaleLegs(inside, agentId);
  const added = await inside.run(sql`
    insert into leg (softphone_call_id, conference_id, role, mode, agent_id, leg_uuid, status, member_id, joined_at)
    values (${softphoneCallId}, ${conferenceId}, 'agent', 'session', ${agentId}, ${legUuid}, 'joined', ${memberId}, ${instant(at)})
    on conflict do nothing`);
  if (added === 0) return false;
  await inside.run(sql`update conference_session set status = 'live', answered_at = ${instant(at)} where id = ${conferenceId}`);
  await inside.run(
    sql`update softphone_call set status = 'answered', answered_at = ${instant(at)} where id = ${softphoneCallId} and ended_at is null`,
  );
  return true;
}
