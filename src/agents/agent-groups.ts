import { defineEntity, LockMode, p, serialize } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { unlessTaken } from '#platform/postgres/failures.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import { overlay } from '#kernel/json.ts';
import { type AgentGroup, type AgentGroupChanges, type AgentGroupFields, agentGroup } from './agent.ts';
import { audit, auditChange, type AuditPart, type AuditedAction, type AuditEntry, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { at, stampColumns } from '#platform/postgres/entity-columns.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import type { Table } from '#platform/postgres/listing.ts';
import type { Platform } from '#platform/platform.ts';

export const AGENT_GROUP_TABLE = {
  columns: columnsOf(agentGroup),
  from: sql`agent_group`,
  id: sql`id`,
  exists: sql`deleted_at is null`,
} satisfies Table<unknown>;

const MAX_LISTED_GROUPS = 1_000;
/** Most agents that the message of a refused deletion names. */
const MAX_NAMED_AGENTS = 20;

/** Lists the groups, oldest first. Source: OCS 4.13 */
export function listAgentGroups({ db }: Pick<AuditPart & Pick<Platform, 'db'>, 'db'>): Promise<AgentGroup[]> {
  return db.read(em => em.find(AgentGroupEntity, { deletedAt: null }, { orderBy: { id: 'asc' }, limit: MAX_LISTED_GROUPS }));
}

/** Errors: CONFLICT when the name is taken */
export async function createAgentGroup(
  app: AuditPart & Pick<Platform, 'db'>,
  caller: Caller,
  fields: AgentGroupFields,
): Promise<AgentGroup> {
  const group = await app.db.transaction(({ em }) => writeGroup(em, em.create(AgentGroupEntity, fields)));
  await audit(app, caller, entryOf(group, 'agent_group.created', `新建坐席组「${group.name}」`));
  return group;
}

/** Errors: NOT_FOUND; CONFLICT when the name is taken */
export async function updateAgentGroup(
  app: AuditPart & Pick<Platform, 'db'>,
  caller: Caller,
  groupId: number,
  changes: AgentGroupChanges,
): Promise<AgentGroup> {
  const { before, after } = await app.db.transaction(async ({ em }) => {
    const group = await lockGroup(em, groupId);
    const before = serialize(group);
    return { before, after: await writeGroup(em, em.assign(group, overlay<AgentGroupFields>(before, changes))) };
  });
  await auditChange(app, caller, entryOf(after, 'agent_group.updated', `修改坐席组「${after.name}」`), changeOf(before, after));
  return after;
}

/**
 * Errors: NOT_FOUND; CONFLICT naming the agents in the group
 * Source: D12.1
 */
export async function deleteAgentGroup(app: AuditPart & Pick<Platform, 'db'>, caller: Caller, groupId: number): Promise<AgentGroup> {
  const group = await app.db.transaction(async tx => {
    const group = await lockGroup(tx.em, groupId);
    await requireEmpty(tx, groupId);
    await tx.run(sql`update agent_group set deleted_at = now() where id = ${groupId}`);
    return serialize(group);
  });
  await audit(app, caller, entryOf(group, 'agent_group.deleted', `删除坐席组「${group.name}」`));
  return group;
}

/** Assigning an agent to the group locks the same row: the two transactions run one after the other. */
async function lockGroup(em: EntityManager, groupId: number): Promise<AgentGroupEntity> {
  const group = await em.findOne(AgentGroupEntity, { id: groupId, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (group === null) throw notFound('坐席组');
  return group;
}

async function writeGroup(em: EntityManager, group: AgentGroupEntity): Promise<AgentGroup> {
  await unlessTaken(
    'agent_group_name',
    () => conflict('AGENT_GROUP_NAME_TAKEN', `坐席组「${group.name}」已存在`, 'name'),
    () => em.flush(),
  );
  return serialize(group);
}

async function requireEmpty(tx: Sql, groupId: number): Promise<void> {
  const agents = await tx.rows(sql<{ id: number; name: string }>`
    select id, name from agent where group_id = ${groupId} and deleted_at is null order by id limit ${MAX_NAMED_AGENTS}`);
  const names = agents.map(({ id, name }) => `${name}（#${id}）`).join('、');
  if (agents.length > 0) throw conflict('AGENT_GROUP_IN_USE', `坐席组中还有坐席，不能删除：${names}`);
}

function entryOf(group: AgentGroup, action: AuditedAction, summary: string): Omit<AuditEntry, 'detail'> {
  return { action, targetType: 'agent_group', targetId: group.id, summary };
}

const groupSchema = defineEntity({
  name: 'AgentGroupEntity',
  tableName: 'agent_group',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    description: p.text(),
    deletedAt: at().strictNullable().hidden(),
    ...stampColumns(),
  },
});

export class AgentGroupEntity extends groupSchema.class {}

groupSchema.setClass(AgentGroupEntity);
