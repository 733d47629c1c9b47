import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { AgentFault, AgentFields, AgentStore, Changed } from '#ports/agent-store.ts';
import { type Agent, agent } from '#model/agent.ts';
import { columnsOf } from './columns-of.ts';
import type { Database, Sql } from './database.ts';
import { isForeignKeyViolation, isUniqueViolation } from './failures.ts';
import { ids } from './values.ts';

/** Agents that one statement reads for those who asked in one turn. */
const MAX_BATCH = 100;

/** Of `agent`. */
export const AGENT_COLUMNS = sql<Agent>`
  ${columnsOf(agent.omit({ status: true, registrationStatus: true, currentCall: true }))}, auth_username as "authUsername",
  sealed_password is not null as "hasPassword"`;

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
