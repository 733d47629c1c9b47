import { conflict, notFound } from '#kernel/errors.ts';
import type { AgentStatus } from './agent-status.ts';
import type { Agent, AgentView } from './agent.ts';
import type { Platform } from '#platform/platform.ts';
import { auditChange, type AuditDeps, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { findPresence, sendToAgent } from './agent-actor.ts';
import type { AgentDirectoryDeps } from './agent-directory.ts';
import { viewAgent } from './agent-view.ts';
import { findOwnAgent, requireActingFor, requireEnabled } from './require-own-agent.ts';

export type SetStatusDeps = AgentDirectoryDeps & AuditDeps & Pick<Platform, 'clock' | 'ids'>;

/** Returns null when no enabled agent is bound to the caller. Source: OCS 4.13 */
export async function getOwnStatus(deps: AgentDirectoryDeps, caller: Caller): Promise<AgentView | null> {
  const agent = await findOwnAgent(deps, caller);
  return agent && viewAgent(deps, agent);
}

/** Errors: NOT_FOUND when no enabled agent is bound to the caller; those of `setAgentStatus` */
export async function setOwnStatus(deps: SetStatusDeps, caller: Caller, status: AgentStatus): Promise<AgentView> {
  const agent = await findOwnAgent(deps, caller);
  if (!agent) throw notFound('当前用户绑定的坐席');
  return choose(deps, caller, agent, status);
}

/**
 * Sets an agent's status; a status chosen during a call takes effect after the call.
 *
 * Errors: FORBIDDEN for an agent that is not the caller's own; NOT_FOUND; CONFLICT when the agent is disabled or its phone is not
 *         registered
 * Source: OCS 4.13, D12.1
 */
export async function setAgentStatus(deps: SetStatusDeps, caller: Caller, agentId: number, status: AgentStatus): Promise<AgentView> {
  return choose(deps, caller, await requireActingFor(deps, caller, agentId), status);
}

async function choose(deps: SetStatusDeps, caller: Caller, agent: Agent, status: AgentStatus): Promise<AgentView> {
  requireEnabled(agent);
  if (status !== 'offline') requirePhone(deps, agent);
  const before = (await findPresence(deps.agentHost, agent.id))?.context.chosen ?? 'offline';
  const chosen = { type: 'statusChosen', status, at: deps.clock.now() } as const;
  const outcome = await sendToAgent(deps.agentHost, agent.id, chosen, `status:${deps.ids()}`);
  if (outcome.kind === 'duplicate' && outcome.state.context.chosen !== status)
    throw conflict('CHANGED_MEANWHILE', '坐席状态已被其他操作改变，请刷新后重试');
  const summary = `坐席「${agent.name}」状态改为 ${status}`;
  const entry = { action: 'agent.status_changed', targetType: 'agent', targetId: agent.id, summary } as const;
  await auditChange(deps, caller, entry, changeOf({ status: before }, { status }));
  return viewAgent(deps, agent);
}

/** Refuses an agent whose phone is not registered. Source: OCS 3 "Agent status": not `registered` is rejected */
function requirePhone({ phoneRegistry }: Pick<AgentDirectoryDeps, 'phoneRegistry'>, agent: Agent): void {
  const registration = phoneRegistry.registration(agent.phoneExtension, agent.cellId);
  if (registration === 'unconfigured') throw conflict('EXTENSION_MISSING', `坐席「${agent.name}」没有配置分机`);
  if (registration === 'unknown') throw conflict('PHONE_UNKNOWN', `坐席「${agent.name}」的话机注册状态未知：交换机无应答`);
  if (registration === 'unregistered') throw conflict('PHONE_UNREGISTERED', `坐席「${agent.name}」的话机 ${agent.phoneExtension} 未注册`);
}
