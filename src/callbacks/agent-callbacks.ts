import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { endWait, IS_SERVED } from './callback-store.ts';
import { applyDecisions, decidedRow, KNOWN_PROMISE } from './conclude-callbacks.ts';
import { decideCallback, type KnownPromise } from './decisions/callback-end.ts';

/** A callback whose time has come, with the agent who is to make it. */
export interface DueCallback {
  id: number;
  campaignId: number;
  contactId: number;
  agentId: number;
  dialKey: string;
  note: string;
}

/** Least time between two rings for the same callback, ms: longer than a phone rings. */
const RING_PAUSE_MS = 60_000;

const IS_RESTING = sql`b.rung_at > now() - ${RING_PAUSE_MS} * interval '1 millisecond'`;

/** Callbacks of agents that wait for their agent now, the longest due first. Source: D7.12 */
export function dueForAgents(db: Pick<Sql, 'rows'>, limit: number): Promise<DueCallback[]> {
  return db.rows(sql<DueCallback>`
    select b.id, b.campaign_id, b.contact_id, b.agent_id, c.dial_key, b.note
    from callback b join contact c on c.id = b.contact_id join campaign m on m.id = b.campaign_id
    where b.status = 'promised' and b.agent_id is not null and b.due_at <= now() and (${IS_RESTING}) is not true
      and c.status = 'pending' and c.hold_reason = 'callback' and c.deleted_at is null and m.status = 'running' and m.deleted_at is null
    order by b.due_at, b.id limit ${limit}`);
}

/** Only one of several instances gets to ring the agent. */
export async function takeRing(db: Pick<Sql, 'run'>, callbackId: number): Promise<boolean> {
  return (
    (await db.run(sql`
    update callback b set rung_at = now() where b.id = ${callbackId} and b.status = 'promised' and (${IS_RESTING}) is not true`)) === 1
  );
}

interface CalledPromise extends KnownPromise {
  id: number;
  contactId: number;
  attemptId: null;
  isCustomerDialled: boolean;
  /** Made or moved while the agent was calling. */
  isNewer: boolean;
}

/**
 * Decides the promise that an agent's call was to keep. A call whose agent did not answer says nothing: the promise goes on waiting.
 *
 * Source: D7.12
 */
export async function concludeAgentCallback(
  tx: Sql,
  softphoneCallId: number,
  { status, endedAt }: { status: 'completed' | 'failed'; endedAt: number },
): Promise<void> {
  const promise = await tx.first(sql<CalledPromise>`
    select b.id, b.contact_id, ${KNOWN_PROMISE}, null as attempt_id, s.created_at as claimed_at, b.promised_at > s.created_at as is_newer,
      exists (select 1 from leg l where l.softphone_call_id = s.id and l.role = 'customer' and l.dialing_at is not null) as is_customer_dialled
    from softphone_call s join callback b on b.id = s.callback_id and b.status = 'promised'
      join contact c on c.id = b.contact_id join campaign m on m.id = b.campaign_id
    where s.id = ${softphoneCallId} for no key update of b`);
  if (!promise || promise.isNewer) return;
  if (status === 'completed') return keep(tx, promise);
  const isEarly = promise.dueAt > promise.claimedAt;
  if (!promise.isCustomerDialled || isEarly) return;
  const decision = decideCallback(promise, { isReached: false, isVoid: false, endedAt });
  await tx.run(applyDecisions([decidedRow(promise, decision)]));
  if (decision.status !== 'promised') await tx.run(sql`update contact c set ${endWait(IS_SERVED)} where c.id = ${promise.contactId}`);
}

async function keep(tx: Sql, { id, contactId }: CalledPromise): Promise<void> {
  await tx.run(sql`update callback set status = 'kept' where id = ${id}`);
  await tx.run(sql`update contact c set ${endWait(sql`true`)} where c.id = ${contactId}`);
}
