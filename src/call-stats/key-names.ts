import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { intIds } from '#platform/postgres/values.ts';
import type { Dimension, OwnerDimension } from './decisions/dimensions.ts';

/** Today's business of each campaign, or group of each agent, by id; an agent without a group has no entry. */
export type Owners = ReadonlyMap<string, string>;

const OWNERS: Readonly<Record<OwnerDimension, RawBuilder<{ id: number; owner: string }>>> = {
  business: sql`select id, business_code as owner from campaign`,
  agent_group: sql`select id, group_id::text as owner from agent where group_id is not null`,
};

export async function readOwners(db: Sql, dimension: OwnerDimension): Promise<Owners> {
  const rows = await db.rows(OWNERS[dimension]);
  return new Map(rows.map(({ id, owner }) => [String(id), owner]));
}

interface NamedRow {
  id: string;
  name: string;
}

/** Tables whose rows have names, deleted ones too: their calls still count. */
const NAMES: Partial<Record<Dimension, (ids: RawBuilder<number[]>) => RawBuilder<NamedRow>>> = {
  campaign: ids => sql`select id::text, name from campaign where id = any(${ids})`,
  line: ids => sql`select id::text, name from line where id = any(${ids})`,
  agent: ids => sql`select id::text, name from agent where id = any(${ids})`,
  agent_group: ids => sql`select id::text, name from agent_group where id = any(${ids})`,
  script: ids => sql`select id::text, name from script where id = any(${ids})`,
};

/** Reads the names of keys of a dimension; keys that say themselves what they are have none. */
export async function readNames(db: Sql, dimension: Dimension, keys: readonly string[]): Promise<Map<string, string>> {
  if (dimension === 'business') return businessNames(db);
  if (dimension === 'script_version') return versionNames(db, keys);
  const named = NAMES[dimension];
  if (named === undefined) return new Map();
  return byId(await db.rows(named(intIds(keys.filter(key => key !== '').map(Number)))));
}

async function businessNames(db: Sql): Promise<Map<string, string>> {
  return byId(await db.rows(sql<NamedRow>`select business_code as id, business_name as name from business`));
}

/** `7:3` is called as the script 7 and its version 3. */
async function versionNames(db: Sql, keys: readonly string[]): Promise<Map<string, string>> {
  const parts = keys.filter(key => key !== '').map(key => ({ key, scriptId: key.split(':')[0] ?? '', version: key.split(':')[1] ?? '' }));
  const scripts = await readNames(db, 'script', [...new Set(parts.map(({ scriptId }) => scriptId))]);
  return new Map(parts.map(({ key, scriptId, version }) => [key, `${scripts.get(scriptId) ?? scriptId} v${version}`]));
}

function byId(rows: readonly NamedRow[]): Map<string, string> {
  return new Map(rows.map(({ id, name }) => [id, name]));
}
