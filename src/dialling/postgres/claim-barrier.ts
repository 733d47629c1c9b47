import { sql } from 'kysely';
import type { Sql } from '#adapters/postgres/database.ts';

/**
 * Waits for the claims that are under way (of one campaign, or of all with null) and keeps new ones waiting until the commit.
 *
 * Why:    a claim holds its campaign's row while it decides; one that read the rules before an edit may write holds after it. Behind this
 *         barrier the edit sees every such hold and can release it, so none outlives its reason
 * Source: D8.6
 */
export async function awaitClaims(tx: Sql, campaignIds: readonly number[] | null): Promise<void> {
  const which = campaignIds === null ? sql`status <> 'archived'` : sql`id = any(${[...campaignIds]}::int[])`;
  await tx.rows(sql`select id from campaign where deleted_at is null and ${which} order by id for share`);
}
