import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';

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
