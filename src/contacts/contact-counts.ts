import { type RawBuilder, sql } from 'kysely';
import { tallySum } from '#campaigns/campaign-store.ts';
import { isAnyJobRunning } from '#jobs/job-store.ts';
import { sleep } from '#kernel/clock.ts';
import type { Platform } from '#platform/platform.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { intIds } from '#platform/postgres/values.ts';
import type { ContactSearch } from './contact.ts';

interface Counted {
  /** Campaign id. */
  id: number;
  total: number;
}

/** Separator in `contact_search.letters`. */
const BETWEEN_TEXTS = '\u0001';

/** A remembered count with the version of the texts and the snapshot that it is based on. */
interface Known {
  version: number;
  seen: string;
  total: number;
}

const NOTHING = { version: null, seen: null, total: null };

/** Limit of remembered searches; the least recently used is dropped first. */
const MAX_KNOWN = 1_000;

/**
 * Number of matching contacts per campaign, exact at one instant.
 *
 * Why: without a search text, the tally has the answer in a few rows per campaign, maintained by a trigger. A search of up to three letters
 *      is one entry of the inverted index over `contact_search`; a longer one inspects the texts that contain all of its three-letter
 *      sequences; a single ASCII letter scans the campaign's rows of the status. Counts are remembered with the version of the texts and
 *      the snapshot they saw: while the texts are unchanged, only contact moves unseen by that snapshot alter a count, and the snapshot
 *      identifies them exactly
 */
export class ContactTotals {
  readonly #db: Sql;
  readonly #known = new Map<string, Known>();

  constructor(db: Sql) {
    this.#db = db;
  }

  /** Shape: in the order of the ids, which must be distinct; 0 for an unknown campaign */
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
    const known = campaignIds.map(id => this.#known.get(keyOf(id)) ?? NOTHING);
    const rows = await this.#db.rows(sql<Counted & Known>`
      select asked.id, now.version, pg_current_snapshot()::text as seen, case
        when now.version is distinct from asked.version or asked.total is null then count_found_contacts(asked.id, ${q}, ${status})
        when ${status}::text is null then asked.total
        when search_follows(asked.seen) then asked.total + search_moved(asked.id, ${q}, ${status}, asked.seen)
        else count_found_contacts(asked.id, ${q}, ${status}) end as total
      from unnest(${intIds(campaignIds)}, ${known.map(({ version }) => version)}::bigint[], ${known.map(({ seen }) => seen)}::text[],
        ${known.map(({ total }) => total)}::bigint[]) as asked (id, version, seen, total)
      cross join lateral (select search_version(asked.id) as version offset 0) as now`);
    // No single text contains the separator, but moves are matched against all texts of a contact joined by it.
    if (!q.includes(BETWEEN_TEXTS)) for (const { id, ...counted } of rows) this.#remember(keyOf(id), counted);
    return rows;
  }

  #remember(key: string, counted: Known): void {
    this.#known.delete(key);
    this.#known.set(key, counted);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

function tallied(status: ContactSearch['status']): RawBuilder<unknown> {
  return tallySum(sql`asked.id`, status === null ? sql`true` : sql`status = ${status}`);
}

/** Contacts per statement: long remarks take half a millisecond each. */
const SLICE = 200;
/** How many times as long as its work a round pauses while a job runs. */
const SHARE_BESIDE_JOBS = 8;
/** Pause between two rounds when nothing was new, in ms. */
const IDLE_MS = 1_000;

/**
 * Adds written contacts to the search index until the signal aborts. Every server may run it at the same time.
 *
 * Why: an import must not wait for the index of its remarks; until then a search scans their texts. Each round pauses for as long as it
 *      worked, so that dialling keeps most of the database's capacity; while a job runs, such as the import itself, several times as long
 */
export async function runContactIndexing(
  app: { database: Pick<Database, 'run' | 'first'> } & Pick<Platform, 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const began = app.clock.monotonic();
    const indexed = await indexContacts(app.database, SLICE).catch((error: unknown) => {
      app.log.warn({ err: error }, 'contacts could not be indexed for the search; tried again');
      return 0;
    });
    const worked = app.clock.monotonic() - began;
    await sleep(app.clock, indexed < SLICE ? IDLE_MS : worked * (await pauseShare(app)), signal);
  }
}

async function pauseShare({ database }: { database: Pick<Database, 'first'> }): Promise<number> {
  return (await isAnyJobRunning(database).catch(() => false)) ? SHARE_BESIDE_JOBS : 1;
}

/** Indexes at most `limit` contacts and returns their number. Errors: DATABASE_UNAVAILABLE */
export function indexContacts(database: Pick<Database, 'run'>, limit: number): Promise<number> {
  return database.run(sql`
    update contact_search s set is_indexed = true from (
      select campaign_id, contact_id from contact_search where not is_indexed
      order by campaign_id, contact_id limit ${limit} for update skip locked) as fresh
    where s.campaign_id = fresh.campaign_id and s.contact_id = fresh.contact_id`);
}
