import { sql } from 'kysely';
import type { AgentsPart } from '#agents/agent-directory.ts';
import { requireActingFor, requireEnabled } from '#agents/status.ts';
import type { Callback, CallbackPromise } from '#callbacks/callback.ts';
import { type CallbacksApp, cancelCallback, promiseCallback } from '#callbacks/promise-callbacks.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import type { Sql } from '#platform/postgres/database.ts';

interface AgentPromise extends Omit<CallbackPromise, 'agentId'> {
  contactId: number;
  /** Whether this agent is to make it. */
  isPersonal: boolean;
}

/**
 * Promises a contact a call for an agent, in or after a call between the two; a promise that the contact has already is replaced.
 *
 * Errors: FORBIDDEN for another user's agent, or a contact that the agent has not talked with; NOT_FOUND; CONFLICT for a disabled agent;
 *         those of `promiseCallback`
 * Source: D7.12
 */
export async function promiseAgentCallback(
  app: CallbacksApp & Pick<AgentsPart, 'agents'>,
  caller: Caller,
  agentId: number,
  { contactId, isPersonal, ...promise }: AgentPromise,
): Promise<Callback> {
  const agent = await requireActingFor(app, caller, agentId);
  requireEnabled(agent);
  const contact = await findTalk(app.db, { agentId, contactId });
  if (contact === undefined) throw notFound('联系人');
  const maySkip = caller.permissions.has('contact:write');
  if (!contact.hasTalked && !maySkip) throw new CalloutError('FORBIDDEN', '坐席只能为自己通话过的联系人约定回访');
  const target = { campaignId: contact.campaignId, contactId };
  return promiseCallback(app, caller, target, { ...promise, agentId: isPersonal ? agentId : null }, 'agent');
}

/**
 * Cancels, for an agent, a promise that is the agent's to keep, or that the agent made for anybody.
 *
 * Errors: FORBIDDEN for another user's agent, or another's promise; NOT_FOUND; CONFLICT when it has been kept, given up or cancelled
 * Source: D7.12
 */
export async function cancelAgentCallback(
  app: CallbacksApp & Pick<AgentsPart, 'agents'>,
  caller: Caller,
  { agentId, callbackId }: { agentId: number; callbackId: number },
): Promise<Callback> {
  const agent = await requireActingFor(app, caller, agentId);
  const owner = await app.db.first(sql<{ isOwn: boolean }>`
    select coalesce(b.agent_id = ${agentId}, b.source = 'agent' and b.created_by = ${agent.userId}::int, false) as is_own
    from callback b where b.id = ${callbackId}`);
  if (owner?.isOwn === false && !caller.permissions.has('contact:write')) throw new CalloutError('FORBIDDEN', '坐席只能取消自己的回访');
  return cancelCallback(app, caller, callbackId);
}

/** A call of the agent's own, one that the agent joined, or a callback that is the agent's to make. */
function findTalk(db: Sql, { agentId, contactId }: { agentId: number; contactId: number }) {
  return db.first(sql<{ campaignId: number; hasTalked: boolean }>`
    select c.campaign_id,
      exists (select 1 from softphone_call s where s.agent_id = ${agentId} and s.contact_id = c.id)
      or exists (
        select 1 from attempt a join conference_session v on v.attempt_id = a.id join leg l on l.conference_id = v.id
        where a.contact_id = c.id and l.agent_id = ${agentId} and l.joined_at is not null)
      or exists (select 1 from callback b where b.contact_id = c.id and b.agent_id = ${agentId} and b.status = 'promised') as has_talked
    from contact c where c.id = ${contactId} and c.deleted_at is null`);
}
