import { type RawBuilder, sql } from 'kysely';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { texts } from '#platform/postgres/values.ts';
import { keysBeside } from './person-keys.ts';

/**
 * Waits for claims in progress (of one campaign, or of all with null) and blocks new ones until the commit.
 *
 * Why:    a claim locks its campaign's row while it decides; one that read the rules before an edit may write holds after it. After this
 *         barrier the edit sees all such holds and can release them, so that none outlives its reason
 * Source: D8.6
 */
export async function awaitClaims(tx: Sql, campaignIds: readonly number[] | null): Promise<void> {
  const which = campaignIds === null ? sql`status <> 'archived'` : sql`id = any(${[...campaignIds]}::int[])`;
  await tx.rows(sql`select id from campaign where deleted_at is null and ${which} order by id for share`);
}

/** Contacts released per statement; keeps each one far below its time-out. */
const RELEASE_CHUNK = 5_000;

/** Selects the holds to end; all given members must match. */
export interface HoldFilter {
  /** Dial keys, as compared with the do-not-call list (D8.7). */
  dialKeys?: readonly string[];
  /** `dnc`, `blacklist`, `frequency_cap` … (campaigns/decisions/skip-reason.ts). */
  reasons?: readonly string[];
  campaignId?: number;
}

/**
 * Returns contacts on hold to the queue, where the next claim decides about them again.
 *
 * Why:    a permanent hold lasts until its reason is edited away; call this in the transaction of that edit
 * Shape:  the campaigns that gained contacts, unordered
 */
export async function releaseHolds(tx: Sql, filter: HoldFilter): Promise<number[]> {
  const campaigns = new Set<number>();
  for (;;) {
    const released = await tx.rows(releaseChunk(filter));
    for (const row of released) campaigns.add(row.campaignId);
    if (released.length < RELEASE_CHUNK) return [...campaigns];
  }
}

function releaseChunk(filter: HoldFilter): RawBuilder<{ campaignId: number }> {
  const conditions = [sql`hold_reason is not null and deleted_at is null`];
  if (filter.dialKeys) conditions.push(sql`dial_key = any(${texts(filter.dialKeys)})`);
  if (filter.reasons) conditions.push(sql`hold_reason = any(${texts(filter.reasons)})`);
  if (filter.campaignId !== undefined) conditions.push(sql`campaign_id = ${filter.campaignId}`);
  return sql<{ campaignId: number }>`
    update contact set hold_reason = null, hold_until = null
    where id in (select id from contact where ${sql.join(conditions, sql` and `)} limit ${RELEASE_CHUNK} for no key update)
    returning campaign_id`;
}

/** Holds that an edit of rules may end; a scope is a campaign, null stands for all. */
interface EditedRules {
  scopes: readonly (number | null)[];
  reasons: readonly string[];
}

/**
 * Writes an edit of rules and releases the contacts that such rules hold, so that the next claim decides them anew.
 *
 * Why: most holds are released before the write, so that claims are blocked only for the short second pass
 */
export async function releasingHolds(tx: Sql, { scopes, reasons }: EditedRules, write: () => Promise<unknown>): Promise<void> {
  const campaignIds = scopes.filter(scope => scope !== null);
  const everywhere = campaignIds.length < scopes.length;
  const filters: HoldFilter[] = everywhere ? [{ reasons }] : [...new Set(campaignIds)].map(campaignId => ({ reasons, campaignId }));
  for (const filter of filters) await releaseHolds(tx, filter);
  await write();
  await awaitClaims(tx, everywhere ? null : campaignIds);
  for (const filter of filters) await releaseHolds(tx, filter);
}

/** A temporary hold ends at its instant (D7.10). */
export function endDueHolds(db: Database): (limit: number) => Promise<number[]> {
  return async limit => {
    const released = await db.rows(sql<{ campaignId: number }>`
      update contact set hold_reason = null, hold_until = null
      where id in (
        select id from contact where hold_reason is not null and deleted_at is null and hold_until <= now()
        order by hold_until limit ${limit} for no key update skip locked)
      returning campaign_id`);
    return [...new Set(released.map(row => row.campaignId))];
  };
}

/**
 * Releases contacts that waited for the end of another call with their person; to be run in the transaction that ends it.
 *
 * Why:    a contact that is being edited is skipped and left to the end of its hold: the end of a call waits for no lock
 * Shape:  the campaigns that gained contacts, one row per contact
 */
export function freeNumbers(dialKeys: RawBuilder<unknown>): RawBuilder<{ campaignId: number }> {
  return sql<{ campaignId: number }>`
    with free (dial_key) as materialized (${dialKeys}),
    person as materialized (select dial_key from free union select beside.dial_key from free cross join lateral ${keysBeside(sql`free.dial_key`)} as beside)
    update contact set hold_reason = null, hold_until = null
    where id in (
      select c.id from contact c where c.hold_reason = 'in_call_elsewhere' and c.deleted_at is null and c.dial_key in (select dial_key from person)
      for no key update skip locked)
    returning campaign_id`;
}

/** Called after the commit with the campaigns that gained contacts through the end of a call. */
export type Freed = (campaignIds: readonly number[]) => void;

export function notifyFreed(freed: Freed, rows: readonly { campaignId: number }[]): void {
  if (rows.length > 0) freed([...new Set(rows.map(({ campaignId }) => campaignId))]);
}
