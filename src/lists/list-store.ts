import { type RawBuilder, sql } from 'kysely';
import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import { type Caller, requireAccess } from '#kernel/caller.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import type { Changes } from '#kernel/json.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { allOf, isFound } from '#platform/postgres/filters.ts';
import { type List, listOf, requireRow, type Table } from '#platform/postgres/listing.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import {
  contactList,
  type ContactList,
  type ListKind,
  type ListRow,
  listRow,
  type ListUse,
  listVersion,
  type ListVersion,
} from './contact-list.ts';

export const LIST_TABLE = {
  columns: columnsOf(contactList, 'l'),
  from: sql`contact_list l`,
  id: sql`l.id`,
  exists: sql`l.deleted_at is null`,
} satisfies Table<unknown>;

export type ListsApp = AuditPart & Pick<Platform, 'db'>;

interface ListSearch {
  q: string;
  kind?: ListKind | undefined;
}

export const contactLists = listOf(LIST_TABLE, ({ q, kind }: ListSearch) =>
  allOf(isFound(q, [sql`l.name`, sql`l.description`]), kind !== undefined && sql`l.kind = ${kind}`),
);

/** Whether the row with alias `r` is part of a version. */
export function isInVersion(version: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`r.since_version <= ${version} and (r.gone_version is null or r.gone_version > ${version})`;
}

const ROW_TABLE = {
  columns: columnsOf(listRow, 'r'),
  from: sql`contact_list_row r join contact_list l on l.id = r.list_id`,
  id: sql`r.id`,
  exists: sql`${isInVersion(sql`l.version`)} and l.deleted_at is null`,
} satisfies Table<unknown>;

interface RowSearch {
  listId: number;
  /** Key of a whole number; absent: every row. */
  dialKey?: string | undefined;
}

/** The rows of the latest version of a list; their number is kept with the list. */
export const listRows: List<ListRow, RowSearch> = {
  ...listOf(ROW_TABLE, ({ listId, dialKey }: RowSearch) =>
    allOf(sql`r.list_id = ${listId}`, dialKey !== undefined && sql`r.dial_key = ${dialKey}`),
  ),
  total: ({ listId, dialKey }) =>
    dialKey === undefined
      ? sql<number>`(select row_count from contact_list where id = ${listId} and deleted_at is null)`
      : sql<number>`(select count(*) from ${ROW_TABLE.from} where r.list_id = ${listId} and r.dial_key = ${dialKey} and ${ROW_TABLE.exists})`,
};

/** Errors: NOT_FOUND */
export function getList(app: Pick<Platform, 'db'>, listId: number): Promise<ContactList> {
  return requireRow(app, LIST_TABLE, listId, '名单');
}

/** Most versions in one response, and campaigns. */
const MAX_VERSIONS = 100;
const MAX_USES = 100;

/** The versions of a list, newest first. */
export function listVersions({ db }: { db: Sql }, listId: number): Promise<ListVersion[]> {
  return db.rows(sql<ListVersion>`
    select ${columnsOf(listVersion)} from contact_list_version where list_id = ${listId} order by version desc limit ${MAX_VERSIONS}`);
}

/** The campaigns that have taken contacts from a list, the latest first. */
export function listUses({ db }: { db: Sql }, listId: number): Promise<ListUse[]> {
  return db.rows(sql<ListUse>`
    select u.campaign_id, c.name as campaign_name, u.version, u.updated_at from campaign_list u join campaign c on c.id = u.campaign_id
    where u.list_id = ${listId} and c.deleted_at is null order by u.updated_at desc limit ${MAX_USES}`);
}

/** Writing a do-not-call list requires the compliance permission as well. Errors: FORBIDDEN */
export function requireListAccess(caller: Caller, { kind }: Pick<ContactList, 'kind'>): void {
  if (kind === 'do_not_call') requireAccess('compliance:write', caller);
}

/** Errors: FORBIDDEN. Source: D6.9 */
export async function createList(
  app: ListsApp,
  caller: Caller,
  input: Pick<ContactList, 'name' | 'kind' | 'description'>,
): Promise<ContactList> {
  requireListAccess(caller, input);
  const { name, kind, description } = input;
  const made = await app.db.first(sql<ContactList>`
    insert into contact_list as l (name, kind, description, created_by) values (${name}, ${kind}, ${description}, ${caller.userId})
    returning ${LIST_TABLE.columns}`);
  if (!made) throw new Error('a list was not inserted');
  await audit(app, caller, {
    action: 'list.created',
    targetType: 'list',
    targetId: made.id,
    summary: `新建名单「${name}」`,
    detail: { kind },
  });
  return made;
}

/** Errors: NOT_FOUND; FORBIDDEN. Source: D6.9 */
export async function updateList(
  app: ListsApp,
  caller: Caller,
  listId: number,
  { name, description }: Changes<Pick<ContactList, 'name' | 'description'>>,
): Promise<ContactList> {
  const { before, after } = await app.db.transaction(async tx => {
    const before = await lockList(tx, listId);
    requireListAccess(caller, before);
    const after = await tx.first(sql<ContactList>`
      update contact_list l set name = coalesce(${name ?? null}::text, l.name), description = coalesce(${description ?? null}::text, l.description)
      where l.id = ${listId} returning ${LIST_TABLE.columns}`);
    return { before, after: after ?? before };
  });
  const entry = { action: 'list.updated', targetType: 'list', targetId: listId, summary: `修改名单「${after.name}」` } as const;
  await auditChange(app, caller, entry, changeOf(before, after));
  return after;
}

/** Locks a list against other writers until the commit. Errors: NOT_FOUND */
export async function lockList(tx: Sql, listId: number): Promise<ContactList> {
  const row = await tx.first(
    sql<ContactList>`select ${LIST_TABLE.columns} from contact_list l where l.id = ${listId} and ${LIST_TABLE.exists} for update`,
  );
  if (!row) throw notFound('名单');
  return row;
}

/**
 * Reserves the next version of a list for a job, and returns it.
 *
 * Why:    one version is written at a time; a job that ends without it takes back first what it has written
 * Errors: CONFLICT while another import of the list is under way
 */
export async function reserveVersion(tx: Sql, list: Pick<ContactList, 'id' | 'version'>, jobId: number): Promise<void> {
  const reserved = await tx.run(sql`
    update contact_list set writing_version = ${list.version + 1}, import_id = ${jobId} where id = ${list.id} and import_id is null`);
  if (reserved === 0) throw conflict('LIST_BEING_WRITTEN', '该名单正在导入，请等它结束');
}

/** A version that an import has written, with its counts. */
interface WrittenVersion extends Pick<ListVersion, 'version' | 'fileName' | 'createdRows' | 'updatedRows' | 'createdBy'> {
  listId: number;
}

/** Shows a version that is written; one without a change leaves the list as it was. */
export async function publishVersion(
  tx: Sql,
  { listId, version, fileName, createdRows, updatedRows, createdBy }: WrittenVersion,
): Promise<void> {
  const isChanged = createdRows + updatedRows > 0;
  await tx.run(sql`
    update contact_list set writing_version = null, import_id = null, row_count = row_count + ${createdRows}::bigint,
      version = case when ${isChanged}::boolean then ${version}::int else version end
    where id = ${listId}`);
  if (!isChanged) return;
  await tx.run(sql`
    insert into contact_list_version (list_id, version, file_name, rows, created_rows, updated_rows, created_by)
    select id, version, ${fileName}, row_count, ${createdRows}, ${updatedRows}, ${createdBy}::int from contact_list where id = ${listId}`);
}

/** Notes that a campaign has taken contacts from a version. */
export async function noteUse(
  tx: Sql,
  use: { campaignId: number; listId: number; version: number; createdBy: number | null },
): Promise<void> {
  const { campaignId, listId, version, createdBy } = use;
  await tx.run(sql`
    insert into campaign_list as u (campaign_id, list_id, version, created_by) values (${campaignId}, ${listId}, ${version}, ${createdBy}::int)
    on conflict (campaign_id, list_id) do update set version = greatest(u.version, excluded.version)`);
}
