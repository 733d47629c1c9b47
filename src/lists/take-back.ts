import { type RawBuilder, sql } from 'kysely';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids, texts } from '#platform/postgres/values.ts';
import { awaitClaims, releaseHolds } from '#policies/holds.ts';

/** Rows of one transaction. */
const CHUNK = 5_000;

type TakeBackApp = Pick<Platform, 'db' | 'wake'>;

/**
 * Takes back what an import has written of a version that is not shown: its rows go, and those that it ended are as before.
 *
 * Why: it may be called again after a crash; a version that is shown is left alone, because its job has given up its place
 */
export async function takeBackVersion(
  app: TakeBackApp,
  { listId, version, jobId }: { listId: number; version: number; jobId: number },
): Promise<void> {
  const isOurs = sql`exists (select from contact_list where id = ${listId} and import_id = ${jobId})`;
  while ((await removeRows(app, listId, sql`r.since_version = ${version} and ${isOurs}`)) === CHUNK);
  const revive = sql`
    update contact_list_row set gone_version = null where id in (
      select r.id from contact_list_row r where r.list_id = ${listId} and r.gone_version = ${version} and ${isOurs} limit ${CHUNK})`;
  while ((await app.db.run(revive)) === CHUNK);
  await app.db.run(sql`
    update contact_list set writing_version = null, import_id = null where id = ${listId} and import_id = ${jobId}`);
}

async function removeRows(app: TakeBackApp, listId: number, which: RawBuilder<unknown>): Promise<number> {
  const { removed, isFreed } = await app.db.transaction(tx => removeSomeRows(tx, listId, which));
  if (isFreed) app.wake.campaign(null);
  return removed;
}

/** Removes some rows of a list, and the do-not-call entries that it has brought for their numbers. */
export async function removeSomeRows(tx: Sql, listId: number, which: RawBuilder<unknown>): Promise<{ removed: number; isFreed: boolean }> {
  const rows = await tx.rows(sql<{ id: number }>`
    select r.id from contact_list_row r where r.list_id = ${listId} and ${which} order by r.id limit ${CHUNK} for update`);
  const keys = await tx.rows(sql<{ dialKey: string }>`
    delete from contact_list_row r where r.id = any(${ids(rows.map(({ id }) => id))}) returning r.dial_key`);
  const isFreed = await freeNumbers(
    tx,
    listId,
    keys.map(({ dialKey }) => dialKey),
  );
  return { removed: rows.length, isFreed };
}

/** Frees the numbers of a do-not-call list that a version has replaced, once it is shown. */
export async function freeReplaced(tx: Sql, listId: number, version: number): Promise<boolean> {
  const rows = await tx.rows(sql<{ dialKey: string }>`
    select r.dial_key from contact_list_row r join contact_list l on l.id = r.list_id
    where r.list_id = ${listId} and r.gone_version = ${version} and l.kind = 'do_not_call'`);
  return freeNumbers(
    tx,
    listId,
    rows.map(({ dialKey }) => dialKey),
  );
}

/**
 * Takes the entries of a list off the do-not-call list; one whose number another list has goes over to that list, and one of a row that is
 * about to come back stays.
 *
 * Shape: whether any number may be dialled again
 */
async function freeNumbers(tx: Sql, listId: number, dialKeys: readonly string[]): Promise<boolean> {
  const keys = texts(dialKeys);
  const elsewhere = sql`(
    select r.list_id from contact_list_row r join contact_list l on l.id = r.list_id
    where r.dial_key = d.dial_key and (r.gone_version is null or r.gone_version = l.writing_version) and l.kind = 'do_not_call' and l.deleted_at is null limit 1)`;
  await tx.run(
    sql`update do_not_call d set list_id = ${elsewhere} where d.dial_key = any(${keys}) and d.list_id = ${listId} and ${elsewhere} is not null`,
  );
  const freed = await tx.rows(sql<{ dialKey: string }>`
    delete from do_not_call d where d.dial_key = any(${keys}) and d.list_id = ${listId} and ${elsewhere} is null returning d.dial_key`);
  if (freed.length === 0) return false;
  await awaitClaims(tx, null);
  await releaseHolds(tx, { dialKeys: freed.map(({ dialKey }) => dialKey), reasons: ['dnc'] });
  return true;
}
