import { notFound } from '#kernel/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { AgentStore } from '#ports/agent-store.ts';
import type { Agent } from '#ports/records.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { AuditedAction } from '../access/audited-actions.ts';
import type { Caller } from '../access/caller.ts';
import type { AgentDeskDeps } from './agent-desks.ts';
import { agentFault, agentFields, type AgentInput, type AgentInputDeps } from './agent-input.ts';
import { type AgentView, viewAgent } from './agent-view.ts';
import { sendToAgent } from './agent-actor.ts';

export interface WriteAgentDeps extends AgentDeskDeps, AgentInputDeps, AuditDeps {
  agents: Pick<AgentStore, 'list' | 'find' | 'findByUser' | 'create' | 'update'>;
  clock: Clock;
  ids: IdSource;
}

const BLANK = {
  name: '',
  phoneExtension: '',
  groupId: null,
  userId: null,
  cellId: null,
  isEnabled: true,
  authUsername: '',
};

/**
 * Errors: INVALID_ARGUMENT; CONFLICT when another agent has the user or the extension
 * Source: OCS 4.13, D12.1
 */
export async function createAgent(deps: WriteAgentDeps, caller: Caller, input: AgentInput & { name: string }): Promise<AgentView> {
  const agent = await deps.agents.create(agentFields(deps, BLANK, input));
  if (typeof agent === 'string') throw agentFault(agent);
  await recordChange(deps, caller, { agent, action: 'agent.created', summary: `新建坐席「${agent.name}」`, input });
  return viewAgent(deps, agent);
}

/**
 * Takes any subset. A disabled agent goes offline.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT; CONFLICT when another agent has the user or the extension
 */
export async function updateAgent(deps: WriteAgentDeps, caller: Caller, agentId: number, input: AgentInput): Promise<AgentView> {
  const agent = await deps.agents.update(agentId, current => agentFields(deps, current, input));
  if (agent === null) throw notFound('坐席');
  if (typeof agent === 'string') throw agentFault(agent);
  if (!agent.isEnabled) {
    await sendToAgent(deps.agentHost, agentId, { type: 'statusChosen', status: 'offline', at: deps.clock.now() }, `disable:${deps.ids()}`);
  }
  await recordChange(deps, caller, { agent, action: 'agent.updated', summary: `修改坐席「${agent.name}」`, input });
  return viewAgent(deps, agent);
}

/** Names of members only: a password stays out of the row. */
function recordChange(
  deps: AuditDeps,
  caller: Caller,
  { agent, action, summary, input }: { agent: Agent; action: AuditedAction; summary: string; input: AgentInput },
): Promise<void> {
  const { phoneExtension, groupId, userId, isEnabled } = agent;
  const changed = Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return audit(deps, caller, {
    action,
    targetType: 'agent',
    targetId: agent.id,
    summary,
    detail: { changed, phoneExtension, groupId, userId, isEnabled },
  });
}
