import { LockMode, serialize } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { SealPart } from '#access/seal.ts';
import { audit, auditChange, type AuditPart, changeOf, masked } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, invalidArgument, notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { unlessTaken } from '#platform/postgres/failures.ts';
import { sendToAgent } from './agent-actor.ts';
import { type AgentsPart, availabilityOf } from './agent-directory.ts';
import { AgentEntity } from './agent-store.ts';
import type { Agent, AgentChanges, AgentFields, AgentView, NewAgent } from './agent.ts';
import { getAgent, viewAgent } from './list-agents.ts';
import type { CellsPart } from '#platform/freeswitch/switch.ts';

/**
 * Applies the input to `current`.
 *
 * Errors: INVALID_ARGUMENT when the two names of the extension differ, or the cell is not configured
 * Source: OCS 4.13 "Compatibility", D12.1
 */
export function agentFields(app: CellsPart & SealPart, current: AgentFields, input: AgentChanges): AgentFields {
  const { cellId } = input;
  if (cellId && !app.cellIds.has(cellId)) throw invalidArgument('cellId', 'unknownCell');
  return {
    name: input.name ?? current.name,
    phoneExtension: extensionOf(input) ?? current.phoneExtension,
    groupId: input.groupId === undefined ? current.groupId : input.groupId,
    userId: input.userId === undefined ? current.userId : input.userId,
    cellId: cellId === undefined ? current.cellId : cellId,
    isEnabled: input.isEnabled ?? current.isEnabled,
    authUsername: input.authUsername === undefined ? current.authUsername : (input.authUsername ?? ''),
    ...passwordOf(app, current, input),
  };
}

/** A password belongs to the user it was given to: binding the agent to another user clears it, and binding it back does not restore it. */
function passwordOf({ seal }: SealPart, current: AgentFields, { userId, sipPassword }: AgentChanges): Pick<AgentFields, 'sealedPassword'> {
  if (sipPassword !== undefined) return { sealedPassword: sipPassword ? seal.close(sipPassword) : null };
  return userId === undefined || userId === current.userId ? {} : { sealedPassword: null };
}

/** Returns undefined when neither name is given. */
function extensionOf({ phoneExtension, sipUsername }: AgentChanges): string | undefined {
  if (phoneExtension && sipUsername && phoneExtension !== sipUsername) {
    throw invalidArgument('sipUsername', 'unlike', { other: 'phoneExtension' });
  }
  if (phoneExtension === undefined && sipUsername === undefined) return undefined;
  return phoneExtension || sipUsername || '';
}

/**
 * Errors: NOT_FOUND; CONFLICT when the agent is busy
 * Source: OCS 4.13, D12.1
 */
export async function deleteAgent(app: AgentsPart & AuditPart & { db: Sql }, caller: Caller, agentId: number): Promise<AgentView> {
  const agent = await getAgent(app, agentId);
  const { status, registrationStatus, activity } = await availabilityOf(app, agent);
  if (status === 'busy') throw conflict('AGENT_BUSY', `坐席「${agent.name}」正忙，不能删除`);
  const removed = await app.db.run(sql`update agent set deleted_at = now() where id = ${agentId} and deleted_at is null`);
  if (removed === 0) throw notFound('坐席');
  await app.agentHost.remove(String(agentId));
  await audit(app, caller, {
    action: 'agent.deleted',
    targetType: 'agent',
    targetId: agentId,
    summary: `删除坐席「${agent.name}」`,
    detail: { phoneExtension: agent.phoneExtension },
  });
  return {
    ...agent,
    status: 'offline',
    registrationStatus,
    currentCall: null,
    activity: { ...activity, state: 'offline', chosen: 'offline', reason: null },
  };
}

const USER_TAKEN = () => conflict('AGENT_USER_TAKEN', '该用户已绑定另一坐席', 'userId');
const EXTENSION_TAKEN = () => conflict('EXTENSION_TAKEN', '该分机已分配给另一坐席', 'phoneExtension');

const BLANK = {
  name: '',
  phoneExtension: '',
  groupId: null,
  userId: null,
  cellId: null,
  isEnabled: true,
  authUsername: '',
};

type AgentsApp = AgentsPart & CellsPart & SealPart & AuditPart & Pick<Platform, 'db' | 'clock' | 'ids'>;

/**
 * Errors: INVALID_ARGUMENT; CONFLICT when another agent has the user or the extension
 * Source: OCS 4.13, D12.1
 */
export async function createAgent(app: AgentsApp, caller: Caller, input: NewAgent): Promise<AgentView> {
  const agent = await app.db.transaction(tx => addAgent(app, tx, input));
  await auditNewAgent(app, caller, agent);
  return viewAgent(app, agent);
}

/** The part of `createAgent` that belongs to a transaction; `auditNewAgent` follows it. */
export async function addAgent(app: CellsPart & SealPart, tx: Sql, input: NewAgent): Promise<Agent> {
  return writeAgent(tx, null, agentFields(app, BLANK, input));
}

export function auditNewAgent(app: AuditPart, caller: Caller, agent: Agent): Promise<void> {
  const { id: targetId, name, phoneExtension, groupId, userId, isEnabled } = agent;
  const detail = { phoneExtension, groupId, userId, isEnabled };
  return audit(app, caller, { action: 'agent.created', targetType: 'agent', targetId, summary: `新建坐席「${name}」`, detail });
}

/** An agent before and after a change. */
export interface ChangedAgent {
  before: Agent;
  after: Agent;
}

/**
 * Gives an agent that has no user to a user, in a transaction; `auditChangedAgent` follows it.
 *
 * Errors: NOT_FOUND; CONFLICT when the agent has a user
 * Source: D12.1 "One agent per user"
 */
export async function bindAgent(app: CellsPart & SealPart, tx: Sql, { agentId, userId }: { agentId: number; userId: number }) {
  const changed = await changeAgent(app, tx, agentId, { userId });
  if (changed.before.userId !== null) throw conflict('AGENT_USER_TAKEN', '该坐席已绑定另一用户', 'agentId');
  return changed;
}

/**
 * Changes any subset of the fields; a disabled agent goes offline.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT; CONFLICT when another agent has the user or the extension
 */
export async function updateAgent(app: AgentsApp, caller: Caller, agentId: number, input: AgentChanges): Promise<AgentView> {
  const changed = await app.db.transaction(tx => changeAgent(app, tx, agentId, input));
  if (!changed.after.isEnabled) {
    await sendToAgent(app.agentHost, agentId, { type: 'statusChosen', status: 'offline', at: app.clock.now() }, `disable:${app.ids()}`);
  }
  await auditChangedAgent(app, caller, changed, Boolean(input.sipPassword));
  return viewAgent(app, changed.after);
}

async function changeAgent(app: CellsPart & SealPart, tx: Sql, agentId: number, input: AgentChanges): Promise<ChangedAgent> {
  const entity = await tx.em.findOne(AgentEntity, { id: agentId, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (entity === null) throw notFound('坐席');
  const before = recordOf(entity);
  return { before, after: await writeAgent(tx, entity, agentFields(app, before, input)) };
}

/** `isRenewed`: the SIP password was given anew. */
export function auditChangedAgent(app: AuditPart, caller: Caller, { before, after }: ChangedAgent, isRenewed = false): Promise<void> {
  const entry = { action: 'agent.updated', targetType: 'agent', targetId: after.id, summary: `修改坐席「${after.name}」` } as const;
  return auditChange(app, caller, entry, changeOf(shown(before, false), shown(after, isRenewed)));
}

/**
 * Writes an agent; `agent` null creates one.
 *
 * Source: D12.1 "One agent per user"
 */
async function writeAgent(tx: Sql, agent: AgentEntity | null, fields: AgentFields): Promise<Agent> {
  const { groupId, userId } = fields;
  if (groupId !== agent?.groupId && !(await isHeld(tx, 'agent_group', groupId))) throw invalidArgument('groupId', 'unknownGroup');
  if (userId !== agent?.userId && !(await isHeld(tx, 'app_user', userId))) throw invalidArgument('userId', 'unknownUser');
  const written = agent ? tx.em.assign(agent, fields) : tx.em.create(AgentEntity, { sealedPassword: null, ...fields });
  const flush = () => unlessTaken('agent_user', USER_TAKEN, () => tx.em.flush());
  await unlessTaken('agent_extension', EXTENSION_TAKEN, flush);
  return recordOf(written);
}

/** Locks the referenced row: a concurrent deletion waits for this transaction, or this transaction finds the row deleted. */
async function isHeld(tx: Sql, table: 'agent_group' | 'app_user', id: number | null): Promise<boolean> {
  if (id === null) return true;
  return (await tx.first(sql`select 1 from ${sql.table(table)} where id = ${id} and deleted_at is null for share`)) !== undefined;
}

function recordOf(agent: AgentEntity): Agent {
  return { ...serialize(agent), hasPassword: agent.sealedPassword !== null };
}

/** Fields for the audit row, with the password masked. */
function shown({ hasPassword, ...fields }: Agent, isRenewed: boolean) {
  return { ...fields, sipPassword: masked(hasPassword, isRenewed) };
}
