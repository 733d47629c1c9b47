import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { sleep } from '#kernel/clock.ts';
import type { Platform } from '#platform/platform.ts';

/** Contacts per statement: long remarks take half a millisecond each. */
const SLICE = 200;
/** Pause between two rounds when nothing was new, in ms. */
const IDLE_MS = 1_000;

/**
 * Adds written contacts to the search index until the signal aborts. Every server may run it at the same time.
 *
 * Why: an import must not wait for the index of its remarks; until then a search scans their texts. Each round pauses for as long as it
 *      worked, so that dialling keeps most of the database's capacity
 */
export async function runContactIndexing(
  deps: Pick<Platform, 'clock' | 'log'> & { database: Pick<Database, 'run'> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const began = deps.clock.monotonic();
    const indexed = await indexContacts(deps.database, SLICE).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'contacts could not be indexed for the search; tried again');
      return 0;
    });
    await sleep(deps.clock, indexed < SLICE ? IDLE_MS : deps.clock.monotonic() - began, signal);
  }
}

/** Indexes at most `limit` contacts and returns their number. Errors: DATABASE_UNAVAILABLE */
export function indexContacts(database: Pick<Database, 'run'>, limit: number): Promise<number> {
  return database.run(sql`
    update contact_search s set is_indexed = true from (
      select campaign_id, contact_id from contact_search where not is_indexed
      order by campaign_id, contact_id limit ${limit} for update skip locked) as fresh
    where s.campaign_id = fresh.campaign_id and s.contact_id = fresh.contact_id`);
}
