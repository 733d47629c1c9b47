import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { AgentFault, AgentFields, AgentStore, Changed, GroupRemoval } from '#ports/agent-store.ts';
import type { Agent } from '#model/agent.ts';
import type { AgentGroup, AgentGroupChanges, AgentGroupFields } from '#model/agent-group.ts';
import type { Database, Sql } from './database.ts';
import { isForeignKeyViolation, isUniqueViolation } from './failures.ts';
import { ids } from './values.ts';

/** Agents that a refused deletion names. */
const MAX_NAMED_AGENTS = 20;
/** Agents that one statement reads for those who asked in one turn. */
const MAX_BATCH = 100;

/** Of `agent`. */
export const AGENT_COLUMNS = sql<Agent>`
  id, name, phone_extension as "phoneExtension", group_id as "groupId", user_id as "userId", cell_id as "cellId", is_enabled as "isEnabled",
  auth_username as "authUsername", sealed_password is not null as "hasPassword", created_at as "createdAt", updated_at as "updatedAt"`;

/** Of `agent_group`. */
export const AGENT_GROUP_COLUMNS = sql<AgentGroup>`id, name, description, created_at as "createdAt", updated_at as "updatedAt"`;

export function agentRepository(db: Database): AgentStore {
  const byUser = agentsByUser(db);
  return {
    list: limit => db.rows(sql<Agent>`select ${AGENT_COLUMNS} from agent where deleted_at is null order by id limit ${limit}`),
    find: async agentId =>
      (await db.first(sql<Agent>`select ${AGENT_COLUMNS} from agent where id = ${agentId} and deleted_at is null`)) ?? null,
    findByExtension: async extension =>
      (await db.first(sql<Agent>`
        select ${AGENT_COLUMNS} from agent where phone_extension = ${extension} and phone_extension <> '' and deleted_at is null`)) ?? null,
    findByUser: userId => byUser.load(userId),
    create: fields => unlessFaulty(() => db.transaction(tx => createAgent(tx, fields))),
    update: (agentId, change) => unlessFaulty(() => db.transaction(tx => updateAgent(tx, agentId, change))),
    remove: async agentId =>
      (await db.first(sql<Agent>`
        update agent set deleted_at = now() where id = ${agentId} and deleted_at is null returning ${AGENT_COLUMNS}`)) ?? null,
    async findSealedPassword(agentId) {
      const row = await db.first(sql<{ sealed: string | null }>`
        select sealed_password as sealed from agent where id = ${agentId} and deleted_at is null`);
      return row?.sealed ?? null;
    },
    listGroups: limit =>
      db.rows(sql<AgentGroup>`select ${AGENT_GROUP_COLUMNS} from agent_group where deleted_at is null order by id limit ${limit}`),
    createGroup: fields => unlessNameTaken(async () => required(await db.first(insertGroup(fields)))),
    updateGroup: (groupId, changes) => unlessNameTaken(() => db.transaction(tx => updateGroup(tx, groupId, changes))),
    removeGroup: groupId => db.transaction(tx => removeGroup(tx, groupId)),
  };
}

async function createAgent(tx: Sql, fields: AgentFields): Promise<Agent | AgentFault> {
  if (!(await holdGroup(tx, fields.groupId))) return 'no_group';
  if (!(await holdUser(tx, fields.userId))) return 'no_user';
  const row = await tx.first(sql<Agent>`
    insert into agent (name, phone_extension, group_id, user_id, cell_id, is_enabled, auth_username, sealed_password)
    values (${fields.name}, ${fields.phoneExtension}, ${fields.groupId}, ${fields.userId}, ${fields.cellId}, ${fields.isEnabled},
      ${fields.authUsername}, ${fields.sealedPassword ?? null})
    returning ${AGENT_COLUMNS}`);
  return required(row);
}

async function updateAgent(tx: Sql, agentId: number, change: (current: Agent) => AgentFields): Promise<Changed<Agent> | AgentFault | null> {
  const current = await tx.first(sql<Agent>`select ${AGENT_COLUMNS} from agent where id = ${agentId} and deleted_at is null for update`);
  if (!current) return null;
  const fields = change(current);
  if (fields.groupId !== current.groupId && !(await holdGroup(tx, fields.groupId))) return 'no_group';
  if (fields.userId !== current.userId && !(await holdUser(tx, fields.userId))) return 'no_user';
  const keepsPassword = fields.sealedPassword === undefined;
  const row = await tx.first(sql<Agent>`
    update agent set name = ${fields.name}, phone_extension = ${fields.phoneExtension}, group_id = ${fields.groupId},
      user_id = ${fields.userId}, cell_id = ${fields.cellId}, is_enabled = ${fields.isEnabled}, auth_username = ${fields.authUsername},
      sealed_password = case when ${keepsPassword}::boolean then sealed_password else ${fields.sealedPassword ?? null}::text end
    where id = ${agentId} returning ${AGENT_COLUMNS}`);
  return { before: current, after: required(row) };
}

/** A group that is being deleted waits for this transaction, or this one finds it gone. */
async function holdGroup(tx: Sql, groupId: number | null): Promise<boolean> {
  if (groupId === null) return true;
  return (await tx.first(sql`select 1 from agent_group where id = ${groupId} and deleted_at is null for share`)) !== undefined;
}

async function holdUser(tx: Sql, userId: number | null): Promise<boolean> {
  if (userId === null) return true;
  return (await tx.first(sql`select 1 from app_user where id = ${userId} and deleted_at is null for share`)) !== undefined;
}

function insertGroup({ name, description }: AgentGroupFields) {
  return sql<AgentGroup>`insert into agent_group (name, description) values (${name}, ${description}) returning ${AGENT_GROUP_COLUMNS}`;
}

async function updateGroup(tx: Sql, groupId: number, changes: AgentGroupChanges): Promise<Changed<AgentGroup> | null> {
  const before = await findGroupForUpdate(tx, groupId);
  if (!before) return null;
  const after = await tx.first(sql<AgentGroup>`
    update agent_group set name = ${changes.name ?? before.name}, description = ${changes.description ?? before.description}
    where id = ${groupId} returning ${AGENT_GROUP_COLUMNS}`);
  return { before, after: required(after) };
}

function findGroupForUpdate(tx: Sql, groupId: number): Promise<AgentGroup | undefined> {
  return tx.first(sql<AgentGroup>`
    select ${AGENT_GROUP_COLUMNS} from agent_group where id = ${groupId} and deleted_at is null for update`);
}

async function removeGroup(tx: Sql, groupId: number): Promise<GroupRemoval> {
  const group = await findGroupForUpdate(tx, groupId);
  if (!group) return { kind: 'not_found' };
  const agents = await tx.rows(sql<{ id: number; name: string }>`
    select id, name from agent where group_id = ${groupId} and deleted_at is null order by id limit ${MAX_NAMED_AGENTS}`);
  if (agents.length > 0) return { kind: 'in_use', agents };
  await tx.run(sql`update agent_group set deleted_at = now() where id = ${groupId}`);
  return { kind: 'removed', group };
}

async function unlessFaulty<T>(work: () => Promise<T>): Promise<T | AgentFault> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'agent_user')) return 'user_taken';
    if (isUniqueViolation(error, 'agent_extension')) return 'extension_taken';
    if (isForeignKeyViolation(error, 'agent_group_id_fkey')) return 'no_group';
    if (isForeignKeyViolation(error, 'agent_user_id_fkey')) return 'no_user';
    throw error;
  }
}

async function unlessNameTaken<T>(work: () => Promise<T>): Promise<T | 'name_taken'> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'agent_group_name')) return 'name_taken';
    throw error;
  }
}

function required<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('a written row was not returned');
  return row;
}

/** What many ask in one turn, as in a burst of claims, is one statement; nothing is remembered. */
function agentsByUser(db: Sql): DataLoader<number, Agent | null> {
  const read = async (userIds: readonly number[]) => {
    const rows = await db.rows(
      sql<Agent>`select ${AGENT_COLUMNS} from agent where user_id = any(${ids([...new Set(userIds)])}) and deleted_at is null`,
    );
    const found = new Map(rows.map(agent => [agent.userId, agent]));
    return userIds.map(userId => found.get(userId) ?? null);
  };
  return new DataLoader(read, { cache: false, maxBatchSize: MAX_BATCH });
}
