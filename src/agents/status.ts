import { auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, conflict, notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { findPresence, sendToAgent } from './agent-actor.ts';
import type { AgentsPart } from './agent-directory.ts';
import type { AgentStates } from './agent-states.ts';
import { requireReason } from './break-reasons.ts';
import { restoreAgent } from './restore-agents.ts';
import type { AgentStore } from './agent-store.ts';
import type { Agent, AgentStatus, AgentView } from './agent.ts';
import { getAgent, viewAgent } from './list-agents.ts';

/**
 * Returns the agent that the caller may act for: its own for an agent, any for other roles.
 *
 * Errors: FORBIDDEN for another user's agent, existing or not; NOT_FOUND
 * Source: OCS 4.13 "an ordinary agent changes only itself"
 */
export async function requireActingFor(
  app: { agents: Pick<AgentStore, 'find' | 'findByUser'> },
  caller: Caller,
  agentId: number,
): Promise<Agent> {
  if (caller.role !== 'agent') return getAgent(app, agentId);
  const own = await findOwnAgent(app, caller);
  if (own?.id !== agentId) throw new CalloutError('FORBIDDEN', '坐席只能操作自己');
  return own;
}

/** The enabled agent that is bound to the caller; null without one. */
export async function findOwnAgent(app: { agents: Pick<AgentStore, 'findByUser'> }, caller: Caller): Promise<Agent | null> {
  const agent = caller.userId === null ? null : await app.agents.findByUser(caller.userId);
  return agent?.isEnabled === true ? agent : null;
}

/** Errors: CONFLICT when the agent is disabled */
export function requireEnabled(agent: Agent): void {
  if (!agent.isEnabled) throw conflict('AGENT_DISABLED', `坐席「${agent.name}」已停用`);
}

/** Returns null when no enabled agent is bound to the caller. Source: OCS 4.13 */
export async function getOwnStatus(app: AgentsPart, caller: Caller): Promise<AgentView | null> {
  const agent = await findOwnAgent(app, caller);
  return agent && viewAgent(app, agent);
}

type StatusApp = AgentsPart & AuditPart & { agentStates: AgentStates } & Pick<Platform, 'db' | 'clock' | 'ids' | 'log'>;

/** `reason`: code of the reason for being busy. */
export interface ChosenStatus {
  status: AgentStatus;
  reason?: string | null | undefined;
}

/** Errors: NOT_FOUND when no enabled agent is bound to the caller; those of `setAgentStatus` */
export async function setOwnStatus(app: StatusApp, caller: Caller, chosen: ChosenStatus): Promise<AgentView> {
  const agent = await findOwnAgent(app, caller);
  if (!agent) throw notFound('当前用户绑定的坐席');
  return choose(app, caller, agent, chosen);
}

/**
 * Sets an agent's status; a status chosen during a call takes effect after the call.
 *
 * Errors: FORBIDDEN for an agent that is not the caller's own; NOT_FOUND; INVALID_ARGUMENT for a reason that is not enabled; CONFLICT when
 *         the agent is disabled or its phone is not registered
 * Source: OCS 4.13, D12.1
 */
export async function setAgentStatus(app: StatusApp, caller: Caller, agentId: number, chosen: ChosenStatus): Promise<AgentView> {
  return choose(app, caller, await requireActingFor(app, caller, agentId), chosen);
}

async function choose(app: StatusApp, caller: Caller, agent: Agent, { status, reason = null }: ChosenStatus): Promise<AgentView> {
  requireEnabled(agent);
  if (status !== 'offline') requirePhone(app, agent);
  await requireReason(app, status, reason);
  await restoreAgent(app, agent.id);
  const before = (await findPresence(app.agentHost, agent.id))?.context;
  const chosen = { type: 'statusChosen', status, reason, at: app.clock.now() } as const;
  const outcome = await sendToAgent(app.agentHost, agent.id, chosen, `status:${app.ids()}`);
  if (outcome.kind === 'duplicate' && outcome.state.context.chosen !== status)
    throw conflict('CHANGED_MEANWHILE', '坐席状态已被其他操作改变，请刷新后重试');
  const summary = `坐席「${agent.name}」状态改为 ${status}`;
  const entry = { action: 'agent.status_changed', targetType: 'agent', targetId: agent.id, summary } as const;
  await auditChange(
    app,
    caller,
    entry,
    changeOf({ status: before?.chosen ?? 'offline', reason: before?.reason ?? null }, { status, reason }),
  );
  return viewAgent(app, agent);
}

/** Refuses an agent whose phone is not registered. Source: OCS 3 "Agent status": not `registered` is rejected */
function requirePhone({ phoneRegistry }: Pick<AgentsPart, 'phoneRegistry'>, agent: Agent): void {
  const registration = phoneRegistry.registration(agent.phoneExtension, agent.cellId);
  if (registration === 'unconfigured') throw conflict('EXTENSION_MISSING', `坐席「${agent.name}」没有配置分机`);
  if (registration === 'unknown') throw conflict('PHONE_UNKNOWN', `坐席「${agent.name}」的话机注册状态未知：交换机无应答`);
  if (registration === 'unregistered') throw conflict('PHONE_UNREGISTERED', `坐席「${agent.name}」的话机 ${agent.phoneExtension} 未注册`);
}

/**
 * Prepares the sign-off of a user who loses access: their agent goes offline, so that no further call reaches it; a call in progress goes on.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D12.1
 */
export async function prepareSignOff(
  app: Pick<AgentsPart, 'agents' | 'agentHost'> & Pick<Platform, 'clock' | 'ids'>,
  userId: number,
): Promise<() => Promise<void>> {
  const agent = await app.agents.findByUser(userId);
  const commandId = `user-gone:${app.ids()}`;
  return async () => {
    if (agent === null) return;
    await sendToAgent(app.agentHost, agent.id, { type: 'statusChosen', status: 'offline', at: app.clock.now() }, commandId);
  };
}
