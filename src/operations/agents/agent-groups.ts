import { conflict, notFound } from '#kernel/errors.ts';
import type { AgentStore } from '#ports/agent-store.ts';
import type { AgentGroup, AgentGroupChanges, AgentGroupFields } from '#model/agent-group.ts';
import { type AuditDeps, type AuditEntry, audit, auditChange } from '../access/audit.ts';
import { changeOf } from '../access/audited-change.ts';
import type { AuditedAction } from '#rules/audited-actions.ts';
import type { Caller } from '../access/caller.ts';

export interface AgentGroupDeps extends AuditDeps {
  agents: Pick<AgentStore, 'createGroup' | 'updateGroup' | 'removeGroup'>;
}

/** Errors: CONFLICT when the name is taken */
export async function createAgentGroup(deps: AgentGroupDeps, caller: Caller, fields: AgentGroupFields): Promise<AgentGroup> {
  const group = await deps.agents.createGroup(fields);
  if (group === 'name_taken') throw nameTaken(fields.name);
  await audit(deps, caller, entryOf(group, 'agent_group.created', `新建坐席组「${group.name}」`));
  return group;
}

/** Errors: NOT_FOUND; CONFLICT when the name is taken */
export async function updateAgentGroup(
  deps: AgentGroupDeps,
  caller: Caller,
  groupId: number,
  changes: AgentGroupChanges,
): Promise<AgentGroup> {
  const changed = await deps.agents.updateGroup(groupId, changes);
  if (changed === null) throw notFound('坐席组');
  if (changed === 'name_taken') throw nameTaken(changes.name ?? '');
  const { before, after } = changed;
  await auditChange(deps, caller, entryOf(after, 'agent_group.updated', `修改坐席组「${after.name}」`), changeOf(before, after));
  return after;
}

/**
 * Errors: NOT_FOUND; CONFLICT naming the agents in the group
 * Source: D12.1
 */
export async function deleteAgentGroup(deps: AgentGroupDeps, caller: Caller, groupId: number): Promise<AgentGroup> {
  const removal = await deps.agents.removeGroup(groupId);
  if (removal.kind === 'not_found') throw notFound('坐席组');
  if (removal.kind === 'in_use') {
    throw conflict(
      'AGENT_GROUP_IN_USE',
      `坐席组中还有坐席，不能删除：${removal.agents.map(({ id, name }) => `${name}（#${id}）`).join('、')}`,
    );
  }
  await audit(deps, caller, entryOf(removal.group, 'agent_group.deleted', `删除坐席组「${removal.group.name}」`));
  return removal.group;
}

function nameTaken(name: string) {
  return conflict('AGENT_GROUP_NAME_TAKEN', `坐席组「${name}」已存在`, 'name');
}

function entryOf(group: AgentGroup, action: AuditedAction, summary: string): Omit<AuditEntry, 'detail'> {
  return { action, targetType: 'agent_group', targetId: group.id, summary };
}
