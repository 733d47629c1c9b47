import DataLoader from 'dataloader';
import { sql } from 'kysely';
import { type Agent, agent } from './agent.ts';
import { columnsOf, ids } from '#platform/postgres/values.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { defineEntity, p } from '@mikro-orm/core';
import { at, stampColumns } from '#platform/postgres/entity-columns.ts';
import type { Table } from '#platform/postgres/listing.ts';

/** Limit of agents per statement when concurrent look-ups are combined. */
const MAX_BATCH = 100;

/** Columns of `agent`. */
export const AGENT_COLUMNS = sql<Agent>`
  ${columnsOf(agent.omit({ status: true, registrationStatus: true, currentCall: true, activity: true }))}, auth_username,
  sealed_password is not null as has_password`;

export type AgentStore = ReturnType<typeof agentRepository>;

/**
 * Agents, without deleted ones but including disabled ones.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 4.13, D12.1
 */
export function agentRepository(db: Database) {
  const byUser = agentsByUser(db);
  return {
    /** Oldest first, up to `limit`. */
    list: (limit: number) => db.rows(sql<Agent>`select ${AGENT_COLUMNS} from agent where deleted_at is null order by id limit ${limit}`),
    find: async (agentId: number) =>
      (await db.first(sql<Agent>`select ${AGENT_COLUMNS} from agent where id = ${agentId} and deleted_at is null`)) ?? null,
    findByExtension: async (extension: string) =>
      (await db.first(sql<Agent>`
        select ${AGENT_COLUMNS} from agent where phone_extension = ${extension} and phone_extension <> '' and deleted_at is null`)) ?? null,
    findByUser: (userId: number) => byUser.load(userId),
    /** Encrypted password of the browser phone; null when none is stored. */
    async findSealedPassword(agentId: number) {
      const row = await db.first(sql<{ sealed: string | null }>`
        select sealed_password as sealed from agent where id = ${agentId} and deleted_at is null`);
      return row?.sealed ?? null;
    },
  };
}

/** Combines the look-ups of one event loop turn, such as a burst of claims, into one statement; nothing is cached. */
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

const agentSchema = defineEntity({
  name: 'AgentEntity',
  tableName: 'agent',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    phoneExtension: p.text(),
    groupId: p.integer().strictNullable(),
    userId: p.integer().strictNullable(),
    cellId: p.text().strictNullable(),
    isEnabled: p.boolean(),
    authUsername: p.text(),
    sealedPassword: p.text().strictNullable().hidden(),
    deletedAt: at().strictNullable().hidden(),
    ...stampColumns(),
  },
});

export class AgentEntity extends agentSchema.class {}

agentSchema.setClass(AgentEntity);

export const AGENT_TABLE = {
  columns: AGENT_COLUMNS,
  from: sql`agent`,
  id: sql`id`,
  exists: sql`deleted_at is null`,
} satisfies Table<unknown>;
