import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { columnsOf, json } from '#platform/postgres/values.ts';
import { type FollowUpList, followUpList } from './follow-up.ts';

const COLUMNS = columnsOf(followUpList, 'f');
/** Most lists in one response; people make them by hand. */
const MAX_LISTED = 1_000;

/** Without users, everything is everybody's. */
function isVisible({ userId }: Pick<Caller, 'userId'>): RawBuilder<unknown> {
  return sql`(f.is_shared or f.created_by is not distinct from ${userId})`;
}

/** The lists that are shared, and the caller's own, by name. */
export function listFollowUps({ db }: { db: Sql }, caller: Pick<Caller, 'userId'>): Promise<FollowUpList[]> {
  return db.rows(
    sql<FollowUpList>`select ${COLUMNS} from follow_up_list f where ${isVisible(caller)} order by f.name, f.id limit ${MAX_LISTED}`,
  );
}

/** Errors: NOT_FOUND, also for another user's own list */
export async function getFollowUp({ db }: { db: Sql }, caller: Pick<Caller, 'userId'>, id: number): Promise<FollowUpList> {
  const row = await db.first(sql<FollowUpList>`select ${COLUMNS} from follow_up_list f where f.id = ${id} and ${isVisible(caller)}`);
  if (row === undefined) throw notFound('跟进名单');
  return row;
}

/** Like `getFollowUp`, and locks the row for a change. */
export async function lockFollowUp(tx: Sql, caller: Pick<Caller, 'userId'>, id: number): Promise<FollowUpList> {
  await tx.run(sql`select 1 from follow_up_list where id = ${id} for update`);
  return getFollowUp({ db: tx }, caller, id);
}

export type FollowUpFields = Omit<FollowUpList, 'id' | 'createdBy' | 'createdAt' | 'updatedAt'>;

export async function insertFollowUp(tx: Sql, fields: FollowUpFields, createdBy: number | null): Promise<FollowUpList> {
  const { name, calls, contacts, address, isShared } = fields;
  return written(
    await tx.first(sql<FollowUpList>`
      insert into follow_up_list as f (name, calls, contacts, address, is_shared, created_by)
      values (${name}, ${jsonOrNull(calls)}, ${jsonOrNull(contacts)}, ${address}, ${isShared}, ${createdBy}) returning ${COLUMNS}`),
  );
}

export async function writeFollowUp(tx: Sql, id: number, fields: FollowUpFields): Promise<FollowUpList> {
  const { name, calls, contacts, address, isShared } = fields;
  return written(
    await tx.first(sql<FollowUpList>`
      update follow_up_list f set name = ${name}, calls = ${jsonOrNull(calls)}, contacts = ${jsonOrNull(contacts)}, address = ${address},
        is_shared = ${isShared} where f.id = ${id} returning ${COLUMNS}`),
  );
}

export async function removeFollowUp(tx: Sql, id: number): Promise<void> {
  await tx.run(sql`delete from follow_up_list where id = ${id}`);
}

function written(row: FollowUpList | undefined): FollowUpList {
  if (row === undefined) throw new Error('a follow-up list that was written vanished');
  return row;
}

function jsonOrNull(value: object | null): RawBuilder<unknown> {
  return value === null ? sql`null::jsonb` : json(value);
}
