import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import type { AgentView } from './agent.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type AgentDirectoryDeps, availabilityOf } from './agent-directory.ts';
import { getAgent } from './agent-view.ts';

/**
 * Errors: NOT_FOUND; CONFLICT when the agent is busy
 * Source: OCS 4.13, D12.1
 */
export async function deleteAgent(deps: AgentDirectoryDeps & AuditDeps & { db: Sql }, caller: Caller, agentId: number): Promise<AgentView> {
  const agent = await getAgent(deps, agentId);
  const { status, registrationStatus } = await availabilityOf(deps, agent);
  if (status === 'busy') throw conflict('AGENT_BUSY', `坐席「${agent.name}」正忙，不能删除`);
  const removed = await deps.db.run(sql`update agent set deleted_at = now() where id = ${agentId} and deleted_at is null`);
  if (removed === 0) throw notFound('坐席');
  await deps.agentHost.remove(String(agentId));
  await audit(deps, caller, {
    action: 'agent.deleted',
    targetType: 'agent',
    targetId: agentId,
    summary: `删除坐席「${agent.name}」`,
    detail: { phoneExtension: agent.phoneExtension },
  });
  return { ...agent, status: 'offline', registrationStatus, currentCall: null };
}
