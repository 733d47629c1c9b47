import { sql } from 'kysely';
import type { DialCandidate } from '#ports/dial-store.ts';
import type { Sql } from '#adapters/postgres/database.ts';
import { REFUSED } from './refused-attempt.ts';
import { instant, texts } from '#adapters/postgres/values.ts';

/** Earlier dials of one number that a decision sees. */
const MAX_RECENT_DIALS = 1_000;
const MS_PER_DAY = 86_400_000;
/** Of `pg_advisory_xact_lock`: claims that look at earlier dials take turns. */
const FREQUENCY_LOCK = 7_225_541;

interface DialsOfNumber {
  global: number[];
  campaign: number[];
}

/**
 * When the numbers of one claim were dialled before; a claim that still may be dialled counts as dialled, what the switch refused does not.
 *
 * Why:    two campaigns that claimed one number at once would each see it below its limit, so such claims take turns
 * Units:  UTC ms, newest first
 * Source: D8.4
 */
export class RecentDials {
  readonly #tx: Sql;
  readonly #campaignId: number;
  /** UTC ms; null when no policy asks. */
  readonly #since: number | null;
  readonly #dials = new Map<string, DialsOfNumber>();

  private constructor(tx: Sql, campaignId: number, since: number | null) {
    this.#tx = tx;
    this.#campaignId = campaignId;
    this.#since = since;
  }

  static async open(tx: Sql, question: { campaignId: number; frequencyDays: number; at: number }): Promise<RecentDials> {
    const { campaignId, frequencyDays, at } = question;
    if (frequencyDays === 0) return new RecentDials(tx, campaignId, null);
    await tx.run(sql`select pg_advisory_xact_lock(${FREQUENCY_LOCK})`);
    return new RecentDials(tx, campaignId, at - frequencyDays * MS_PER_DAY);
  }

  /** Reads the numbers that were not read yet. */
  async read(dialKeys: readonly string[]): Promise<void> {
    const unread = [...new Set(dialKeys)].filter(key => !this.#dials.has(key));
    for (const key of unread) this.#dials.set(key, { global: [], campaign: [] });
    if (this.#since === null || unread.length === 0) return;
    const rows = await this.#tx.rows(sql<{ key: string; campaignId: number; at: number }>`
      select key, dial.campaign_id as "campaignId", dial.at
      from unnest(${texts(unread)}) as key cross join lateral (
        (select campaign_id, dialing_at as at from attempt a
         where dial_key = key and dialing_at is not null and dialing_at > ${instant(this.#since)} and not ${REFUSED}
         order by dialing_at desc limit ${MAX_RECENT_DIALS})
        union all
        (select campaign_id, claimed_at from attempt where dial_key = key and status = 'claimed' limit ${MAX_RECENT_DIALS})) as dial
      order by dial.at desc`);
    for (const row of rows) {
      this.#of(row.key).global.push(row.at);
      if (row.campaignId === this.#campaignId) this.#of(row.key).campaign.push(row.at);
    }
  }

  of(dialKey: string): DialCandidate['recentDials'] {
    return this.#of(dialKey);
  }

  /** The claim takes the number: the next contact with it sees that. */
  add(dialKey: string, at: number): void {
    if (this.#since === null) return;
    const { global, campaign } = this.#of(dialKey);
    this.#dials.set(dialKey, { global: [at, ...global], campaign: [at, ...campaign] });
  }

  #of(dialKey: string): DialsOfNumber {
    const dials = this.#dials.get(dialKey);
    if (!dials) throw new Error('a number was not read');
    return dials;
  }
}
