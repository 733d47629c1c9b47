import { type RawBuilder, sql } from 'kysely';
import type { ContactSearch } from '#ports/contact-store.ts';
import { tallySum } from './contact-tally.ts';
import type { Sql } from './database.ts';
import { intIds } from './values.ts';

interface Counted {
  /** Of the campaign. */
  id: number;
  total: number;
}

/** Searches whose totals are remembered; the one that was asked for longest ago is forgotten first. */
const MAX_KNOWN = 1_000;

/**
 * How many contacts of each campaign match, exact at one instant.
 *
 * Why: without a search the tally knows, a few rows per campaign that a trigger keeps. A search of up to three letters is one entry of the
 *      inverted index over `contact_search`; a longer one looks into what has all its letters in threes, one or two ASCII letters look into the
 *      campaign's rows of that status. What was counted is remembered with the version of what is searched, the texts and, with a status, the
 *      statuses: one statement reads both and sees one instant, and of two instants the later one has every change of the earlier one, so that
 *      the same version means the same answer
 */
export class ContactTotals {
  readonly #db: Sql;
  readonly #known = new Map<string, { version: string; total: number }>();

  constructor(db: Sql) {
    this.#db = db;
  }

  /** Shape: in the order of the ids, which are distinct; 0 for a campaign that does not exist */
  async count(campaignIds: readonly number[], search: ContactSearch): Promise<number[]> {
    const totals = new Map((await this.#counted(campaignIds, search)).map(({ id, total }) => [id, total]));
    return campaignIds.map(id => totals.get(id) ?? 0);
  }

  #counted(campaignIds: readonly number[], { q, status }: ContactSearch): Promise<Counted[]> {
    if (q !== '') return this.#countOnce(campaignIds, { q, status });
    return this.#db.rows(sql<Counted>`select asked.id, ${tallied(status)} as total from unnest(${intIds(campaignIds)}) as asked (id)`);
  }

  async #countOnce(campaignIds: readonly number[], { q, status }: ContactSearch): Promise<Counted[]> {
    const keyOf = (id: number) => `${id}:${status ?? ''}:${q}`;
    const known = campaignIds.map(id => this.#known.get(keyOf(id)));
    const versions = known.map(count => count?.version ?? null);
    const rows = await this.#db.rows(sql<{ id: number; version: string; total: number | null }>`
      select asked.id, version, case when version is distinct from asked.known then count_found_contacts(asked.id, ${q}, ${status}) end as total
      from unnest(${intIds(campaignIds)}, ${versions}::text[]) as asked (id, known)
      cross join lateral (select search_version(asked.id, ${status}) as version offset 0) as now`);
    const before = new Map(campaignIds.map((id, index) => [id, known[index]?.total]));
    return rows.map(({ id, version, total }) => {
      const counted = { id, total: total ?? before.get(id) ?? 0 };
      this.#remember(keyOf(id), { version, total: counted.total });
      return counted;
    });
  }

  #remember(key: string, counted: { version: string; total: number }): void {
    this.#known.delete(key);
    this.#known.set(key, counted);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

function tallied(status: ContactSearch['status']): RawBuilder<unknown> {
  return tallySum(sql`asked.id`, status === null ? sql`true` : sql`status = ${status}`);
}
