import { conflict, notFound } from '#kernel/errors.ts';
import type { AgentStore } from '#ports/agent-store.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import type { AgentDeskDeps } from './agent-desks.ts';
import { type AgentView, getAgent, viewAgent } from './agent-view.ts';

export interface DeleteAgentDeps extends AgentDeskDeps, AuditDeps {
  agents: Pick<AgentStore, 'list' | 'find' | 'findByUser' | 'remove'>;
}

/**
 * Errors: NOT_FOUND; CONFLICT when the agent is busy
 * Source: OCS 4.13, D12.1
 */
export async function deleteAgent(deps: DeleteAgentDeps, caller: Caller, agentId: number): Promise<AgentView> {
  const view = await viewAgent(deps, await getAgent(deps, agentId));
  if (view.desk.status === 'busy') throw conflict('AGENT_BUSY', `坐席「${view.agent.name}」正忙，不能删除`);
  if ((await deps.agents.remove(agentId)) === null) throw notFound('坐席');
  await deps.agentHost.remove(String(agentId));
  await audit(deps, caller, {
    action: 'agent.deleted',
    targetType: 'agent',
    targetId: agentId,
    summary: `删除坐席「${view.agent.name}」`,
    detail: { phoneExtension: view.agent.phoneExtension },
  });
  return { agent: view.agent, desk: { ...view.desk, status: 'offline', currentCall: null } };
}
