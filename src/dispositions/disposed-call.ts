import { sql } from 'kysely';
import { findOwnAgent } from '#agents/status.ts';
import type { AgentStore } from '#agents/agent-store.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';

/** A call that a person has spoken in: of a campaign, or of an agent with a customer. */
export interface DisposedCall {
  requestId: string;
  attemptId: number | null;
  softphoneCallId: number | null;
  campaignId: number | null;
  contactId: number | null;
  phoneNumber: string;
  scriptId: number | null;
  scriptVersion: number | null;
}

/** The agent who may save the disposition; null for a user who may change results. */
export interface Disposer {
  call: DisposedCall;
  agentId: number | null;
}

/** An agent's leg in a conference belongs to the call whose customer was there. */
const CALL = sql<DisposedCall>`
  select a.request_id, a.id as attempt_id, null::bigint as softphone_call_id, a.campaign_id, coalesce(a.tested_contact_id, a.contact_id) as contact_id,
    a.phone_number, a.script_id, a.script_version
  from attempt a where a.id = (select id from named_attempt)
  union all
  select s.request_id, null, s.id, s.campaign_id, s.contact_id, s.phone_number, null, null from softphone_call s
  where s.id = (select id from named_call where attempt_id is null) and s.direction <> 'conference'
  limit 1`;

/** The legs whose agents have spoken with the customer of a conference. */
const SPEAKERS = sql`from conference_session v join leg l on l.conference_id = v.id
  where l.joined_at is not null and l.mode not in ('listen', 'whisper')`;

/**
 * The call with this key and its caller: the call's agent, or a user who may change results.
 *
 * Errors: NOT_FOUND; FORBIDDEN for a call that the caller's agent has not spoken in
 * Source: D12.9
 */
export async function requireDisposer(
  app: { db: Sql; agents: Pick<AgentStore, 'findByUser'> },
  caller: Caller,
  callKey: string,
): Promise<Disposer> {
  const call = await requireCall(app.db, callKey);
  const agentId = await speakerOf(app, caller, call);
  if (agentId !== null) return { call, agentId };
  if (!caller.permissions.has('contact:write')) throw new CalloutError('FORBIDDEN', '坐席只能填写自己通话的结果');
  return { call, agentId: null };
}

/** Errors: NOT_FOUND */
export async function requireCall(db: Sql, callKey: string): Promise<DisposedCall> {
  const call = await findCall(db, callKey);
  if (call === undefined) throw notFound('通话');
  return call;
}

/** The caller's agent if it has spoken in the call, else null. */
export async function speakerOf(
  app: { db: Sql; agents: Pick<AgentStore, 'findByUser'> },
  caller: Caller,
  call: DisposedCall,
): Promise<number | null> {
  const agent = await findOwnAgent(app, caller);
  return agent !== null && (await hasSpoken(app.db, agent.id, call)) ? agent.id : null;
}

function findCall(db: Sql, callKey: string): Promise<DisposedCall | undefined> {
  const [kind, id = ''] = callKey.split(':', 2);
  if (kind === 'request' && !isUuid(id)) return Promise.resolve(undefined);
  const [attempt, call] =
    kind === 'attempt'
      ? [sql`select ${id}::bigint as id`, sql`select null::bigint as id, null::bigint as attempt_id`]
      : [
          sql`select id from attempt where request_id = ${id}::uuid
              union all select attempt_id from softphone_call where request_id = ${id}::uuid and attempt_id is not null limit 1`,
          sql`select id, attempt_id from softphone_call where request_id = ${id}::uuid`,
        ];
  return db.first(sql<DisposedCall>`with named_attempt as (${attempt}), named_call as (${call}) ${CALL}`);
}

async function hasSpoken(db: Sql, agentId: number, { attemptId, softphoneCallId }: DisposedCall): Promise<boolean> {
  const row = await db.first(sql`
    select 1 from softphone_call s where s.id = ${softphoneCallId} and s.agent_id = ${agentId} and s.answered_at is not null
    union all select 1 ${SPEAKERS} and v.attempt_id = ${attemptId} and l.agent_id = ${agentId}
    limit 1`);
  return row !== undefined;
}

/** The agents who have spoken in these calls of campaigns. */
export function readSpeakers({ db }: { db: Sql }, attemptIds: readonly number[]): Promise<{ attemptId: number; agentId: number }[]> {
  return db.rows(sql<{ attemptId: number; agentId: number }>`
    select distinct v.attempt_id, l.agent_id ${SPEAKERS} and v.attempt_id = any(${ids(attemptIds)}) and l.agent_id is not null`);
}
