import { sql } from 'kysely';
import type { ClaimRequest, RecentDial } from '#ports/dial-store.ts';
import type { Sql } from '#adapters/postgres/database.ts';
import { instant, texts } from '#adapters/postgres/values.ts';
import { MS_PER_DAY } from '#rules/calendar.ts';
import { recentDialsOf } from './admission.ts';

/** Of `pg_advisory_xact_lock`: claims that look at earlier dials take turns. */
const FREQUENCY_LOCK = 7_225_541;

/** When the numbers of one claim were dialled before. */
export interface RecentDials {
  /** Reads the numbers that were not read yet. */
  read(dialKeys: readonly string[]): Promise<void>;
  of(dialKey: string): readonly RecentDial[];
  /** The claim takes the number: the next contact with it sees that. */
  add(dialKey: string): void;
}

/**
 * Opens the look at earlier dials for one claim, at the instant `at`.
 *
 * Why:    two campaigns that claimed one number at once would each see it below its limit, so such claims take turns
 * Source: D8.4
 */
export async function openRecentDials(tx: Sql, { campaignId, frequencyDays }: ClaimRequest, at: number): Promise<RecentDials> {
  if (frequencyDays === 0) return { read: () => Promise.resolve(), of: () => [], add: () => undefined };
  await tx.run(sql`select pg_advisory_xact_lock(${FREQUENCY_LOCK})`);
  const since = sql`${instant(at - frequencyDays * MS_PER_DAY)}`;
  const dials = new Map<string, RecentDial[]>();
  const of = (key: string) => dials.get(key) ?? [];
  return {
    of,
    add: key => void dials.set(key, [{ at, campaignId }, ...of(key)]),
    async read(dialKeys) {
      const unread = [...new Set(dialKeys)].filter(key => !dials.has(key));
      if (unread.length === 0) return;
      const rows = await tx.rows(sql<RecentDial & { key: string }>`
        select key, dial.* from unnest(${texts(unread)}) as key cross join lateral ${recentDialsOf(sql`key`, since)} as dial order by dial.at desc`);
      const found = Map.groupBy(rows, ({ key }) => key);
      for (const key of unread)
        dials.set(
          key,
          (found.get(key) ?? []).map(dial => ({ at: dial.at, campaignId: dial.campaignId })),
        );
    },
  };
}
