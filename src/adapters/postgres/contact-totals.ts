import { type RawBuilder, sql } from 'kysely';
import type { ContactQuery } from '#ports/contact-store.ts';
import { tallySum } from './contact-tally.ts';
import type { Sql } from './database.ts';

type Search = Pick<ContactQuery, 'q' | 'status'>;

/** Searches whose totals are remembered; the one that was asked for longest ago is forgotten first. */
const MAX_KNOWN = 1_000;

/**
 * How many contacts match, exact at one instant.
 *
 * Why: without a search the tally knows, a few rows per campaign that a trigger keeps. A search of up to three letters is one entry of the
 *      inverted index over `contact_search`; a longer one looks into what has all its letters in threes, one or two ASCII letters look into the
 *      campaign's entries. What was counted is remembered with the version of the campaign's texts, which is read with the count: one statement
 *      sees one instant, and of two instants the later one has every change of the earlier one, so that the same version means the same
 *      texts. With a status, what was found is joined with the contacts of that status, each time: statuses change with every dial
 */
export class ContactTotals {
  readonly #db: Sql;
  readonly #known = new Map<string, { version: string; total: number }>();

  constructor(db: Sql) {
    this.#db = db;
  }

  count(campaignId: number, { q, status }: Search): Promise<number> {
    if (status !== null || q === '') return this.#count(q === '' ? tallied(campaignId, status) : countedOfStatus(campaignId, q, status));
    return this.#countOnce(campaignId, q);
  }

  async #countOnce(campaignId: number, q: string): Promise<number> {
    const key = `${campaignId}:${q}`;
    const known = this.#known.get(key);
    const row = await this.#db.first(sql<{ version: string; total: number | null }>`
      select version, case when version is distinct from ${known?.version ?? null} then count_found_contacts(${campaignId}, ${q}) end as total
      from (select search_version(${campaignId}) as version offset 0) as now`);
    if (!row) throw new Error('a count gave no row');
    const total = row.total ?? known?.total ?? 0;
    this.#remember(key, { version: row.version, total });
    return total;
  }

  async #count(total: RawBuilder<unknown>): Promise<number> {
    const row = await this.#db.first(sql<{ total: number }>`select ${total} as total`);
    return row?.total ?? 0;
  }

  #remember(key: string, counted: { version: string; total: number }): void {
    this.#known.delete(key);
    this.#known.set(key, counted);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

function tallied(campaignId: number, status: Search['status']): RawBuilder<unknown> {
  return tallySum(sql`${campaignId}::int`, status === null ? sql`true` : sql`status = ${status}`);
}

function countedOfStatus(campaignId: number, q: string, status: Search['status']): RawBuilder<unknown> {
  return sql`(select count(*) from found_contacts(${campaignId}, ${q}, ${status}))`;
}
