import { sql } from 'kysely';
import type { SoftphoneEvent, SoftphoneSessionStore } from './softphone-session-store.ts';
import type { Database } from '#platform/postgres/database.ts';
import { instant, json } from '#platform/postgres/values.ts';
import { SOFTPHONE_OPEN } from '#contacts/contact-store.ts';

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
