import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import type { Walk } from './walk-rows.ts';

/** Most variables that get a column of their own; the column of all variables has the others. */
export const MAX_VARIABLES = 100;
/** Ids of contacts that one statement looks through. */
const WIDTH = 100_000;
/** Newest contacts whose variables are offered as columns. */
const SAMPLE = 1_000;

/** Names of variables in the next range of contacts, added to those found before. */
export async function findVariables(
  db: Sql,
  { campaignId, found, at }: { campaignId: number | null; found: readonly string[]; at: Walk },
): Promise<{ found: string[]; next: Walk }> {
  const end = Math.min(at.upTo, at.after + WIDTH);
  const ofCampaign = campaignId === null ? sql`true` : sql`k.campaign_id = ${campaignId}`;
  const names = await db.rows(sql<{ name: string }>`
    select distinct m.name from contact k cross join lateral jsonb_object_keys(k.metadata) as m (name)
    where k.id > ${at.after}::bigint and k.id <= ${end}::bigint and k.deleted_at is null and ${ofCampaign} limit ${MAX_VARIABLES * 2}`);
  const all = new Set([...found, ...names.map(({ name }) => name)]);
  return { found: [...all].sort().slice(0, MAX_VARIABLES), next: { ...at, after: end } };
}

/** Names of variables among the newest contacts of a campaign, or of all. */
export async function sampleVariables({ db }: { db: Sql }, campaignId: number | null): Promise<string[]> {
  const ofCampaign = campaignId === null ? sql`true` : sql`campaign_id = ${campaignId}`;
  const names = await db.rows(sql<{ name: string }>`
    select distinct m.name from (select metadata from contact where ${ofCampaign} and deleted_at is null order by id desc limit ${SAMPLE}) as k
    cross join lateral jsonb_object_keys(k.metadata) as m (name) order by m.name limit ${MAX_VARIABLES}`);
  return names.map(({ name }) => name);
}
