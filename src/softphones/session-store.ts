import { sql } from 'kysely';
import type { z } from 'zod';
import { SOFTPHONE_OPEN } from '#contacts/contact-store.ts';
import { CalloutError } from '#kernel/errors.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { Database } from '#platform/postgres/database.ts';
import { instant, json } from '#platform/postgres/values.ts';
import { commandAnswer } from '#protocol/hand-over.ts';
import { openSoftphoneAnswer, softphoneSignal } from '#protocol/softphones.ts';
import { SOFTPHONE_OPEN_SUBJECT, SOFTPHONE_SIGNAL_SUBJECT, softphoneCommandSubject } from '#protocol/subjects.ts';
import type { SoftphoneEvent, SoftphoneRuntime, SoftphoneSessionStore, SoftphoneSignals } from './session.ts';

/** Time-out for a runtime's reply, ms (D12.4). */
const ANSWER_TIMEOUT_MS = 3_000;
const ABSENT = '话术引擎未应答，请稍后重试';

export function natsSoftphoneRuntime(bus: Bus): SoftphoneRuntime {
  return {
    async open(request) {
      const answer = await ask(bus, SOFTPHONE_OPEN_SUBJECT, request, openSoftphoneAnswer);
      if (!answer.ok) throw new CalloutError('DOWNSTREAM_INVALID', `话术引擎拒绝了会话：${answer.msg}`);
      return answer;
    },
    async command(sessionId, name, body) {
      const answer = await ask(bus, softphoneCommandSubject(sessionId, name), body, commandAnswer);
      if (!answer.ok) throw new CalloutError('DOWNSTREAM_INVALID', `话术引擎拒绝了命令：${answer.msg}`);
    },
  };
}

async function ask<Shape extends z.ZodType>(bus: Bus, subject: string, body: unknown, shape: Shape): Promise<z.output<Shape>> {
  const answer = await bus.request(subject, body, ANSWER_TIMEOUT_MS).catch((error: unknown) => {
    throw new CalloutError('DOWNSTREAM_INVALID', ABSENT, { cause: error });
  });
  const parsed = parseUntrusted(shape, answer);
  if (!parsed.success) throw new CalloutError('DOWNSTREAM_INVALID', '话术引擎的应答不合规', { cause: parsed.error });
  return parsed.data;
}

export function natsSoftphoneSignals(bus: Bus): SoftphoneSignals {
  return {
    publish: softphoneCallId => bus.publish(SOFTPHONE_SIGNAL_SUBJECT, { softphoneCallId }),
    subscribe: listener =>
      bus.subscribe(SOFTPHONE_SIGNAL_SUBJECT, {}, ({ body }) => {
        const signal = parseUntrusted(softphoneSignal, body);
        if (signal.success) listener(signal.data.softphoneCallId);
      }),
  };
}

const EVENT = sql`e.id, e.softphone_call_id, e.kind, e.data, e.created_at`;

export function softphoneSessionRepository(db: Database): SoftphoneSessionStore {
  const idOf = async (statement: ReturnType<typeof sql<{ id: number }>>) => (await db.first(statement))?.id ?? null;
  return {
    findCall: sessionId => idOf(sql<{ id: number }>`select id from softphone_call where session_id = ${sessionId}::uuid`),
    findCallOfConference: conferenceId =>
      idOf(sql<{ id: number }>`select id from softphone_call where conference_id = ${String(conferenceId)} and direction = 'session'`),
    listUnfinished: (createdBefore, limit) =>
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
