import { notFound } from '#kernel/errors.ts';
import type { AgentStore } from '#ports/agent-store.ts';
import type { Agent, AgentChanges, NewAgent } from '#model/agent.ts';
import type { Ports } from '#ports/ports.ts';
import { type AuditDeps, audit, auditChange } from '../access/audit.ts';
import { changeOf, masked } from '../access/audited-change.ts';
import type { Caller } from '../access/caller.ts';
import type { AgentDeskDeps } from './agent-desks.ts';
import { agentFault, agentFields, type AgentInputDeps } from './agent-input.ts';
import { type AgentView, viewAgent } from './agent-view.ts';
import { sendToAgent } from './agent-actor.ts';

export interface WriteAgentDeps extends AgentDeskDeps, AgentInputDeps, AuditDeps, Pick<Ports, 'clock' | 'ids'> {
  agents: Pick<AgentStore, 'list' | 'find' | 'findByUser' | 'create' | 'update'>;
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
export async function createAgent(deps: WriteAgentDeps, caller: Caller, input: NewAgent): Promise<AgentView> {
  const agent = await deps.agents.create(agentFields(deps, BLANK, input));
  if (typeof agent === 'string') throw agentFault(agent);
  const { phoneExtension, groupId, userId, isEnabled } = agent;
  await audit(deps, caller, {
    action: 'agent.created',
    targetType: 'agent',
    targetId: agent.id,
    summary: `新建坐席「${agent.name}」`,
    detail: { phoneExtension, groupId, userId, isEnabled },
  });
  return viewAgent(deps, agent);
}

/**
 * Takes any subset. A disabled agent goes offline.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT; CONFLICT when another agent has the user or the extension
 */
export async function updateAgent(deps: WriteAgentDeps, caller: Caller, agentId: number, input: AgentChanges): Promise<AgentView> {
  const changed = await deps.agents.update(agentId, current => agentFields(deps, current, input));
  if (changed === null) throw notFound('坐席');
  if (typeof changed === 'string') throw agentFault(changed);
  const agent = changed.after;
  if (!agent.isEnabled) {
    await sendToAgent(deps.agentHost, agentId, { type: 'statusChosen', status: 'offline', at: deps.clock.now() }, `disable:${deps.ids()}`);
  }
  const entry = { action: 'agent.updated', targetType: 'agent', targetId: agentId, summary: `修改坐席「${agent.name}」` } as const;
  const isRenewed = Boolean(input.sipPassword);
  await auditChange(deps, caller, entry, changeOf(shown(changed.before, false), shown(agent, isRenewed)));
  return viewAgent(deps, agent);
}

/** Without the password itself. */
function shown({ hasPassword, ...fields }: Agent, isRenewed: boolean) {
  return { ...fields, sipPassword: masked(hasPassword, isRenewed) };
}
