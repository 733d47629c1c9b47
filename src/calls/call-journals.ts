import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { JournalReader, StoredJournal } from '#platform/actor-host/actor-store.ts';
import { packJournal, unpackJournal } from '#platform/actor-host/journal.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { uuids } from '#platform/postgres/values.ts';

/**
 * Journals of calls that are over, beside their attempts.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D14.9
 */
export interface CallJournals {
  /** Keeps the journal with the attempt; of an attempt that was deleted meanwhile, nothing is kept. Repeatable: the later one stands. */
  keep(requestId: string, journal: StoredJournal): Promise<void>;
  /** Null for a call that is not over, was made before there were journals, or whose journal retention has removed. */
  find(requestId: string): Promise<StoredJournal | null>;
}

export interface CallJournalsPart {
  callStore: JournalReader;
  journals: CallJournals;
}

/** Batching delay of a write that nobody waits for, ms. */
const LINGER_MS = 250;
const MAX_BATCH = 100;
/** The only actor of which an attempt keeps a journal: call and take-over are one. */
const ACTOR = 'call';
/** The cheapest level of deflate. */
const LEVEL = 1;

interface Kept {
  requestId: string;
  body: Buffer;
}

export function callJournals(db: Database, clock: Pick<Clock, 'schedule'>): CallJournals {
  const batcher = new MicroBatcher<Kept>({
    maxBatch: MAX_BATCH,
    linger: leave => clock.schedule(LINGER_MS, leave),
    inTurn: true,
    write: kept => insert(db, kept),
  });
  return {
    keep: (requestId, journal) => batcher.add({ requestId, body: deflateRawSync(packJournal(journal), { level: LEVEL }) }),
    async find(requestId) {
      const row = await db.first(sql<{ body: string }>`
        select encode(j.body, 'base64') as body from call_journal j join attempt a on a.id = j.attempt_id
        where a.request_id = ${requestId} and j.actor = ${ACTOR}`);
      return row ? unpackJournal(inflateRawSync(Buffer.from(row.body, 'base64')).toString()) : null;
    },
  };
}

/** The foreign key waits for a transaction that deletes the attempt, and its cascade takes the row along. */
async function insert(db: Sql, kept: readonly Kept[]): Promise<void> {
  const latest = new Map(kept.map(({ requestId, body }) => [requestId, body]));
  await db.run(sql`
    insert into call_journal (attempt_id, actor, body)
    select a.id, ${ACTOR}, decode(k.body, 'base64')
    from unnest(${uuids([...latest.keys()])}, ${[...latest.values()].map(body => body.toString('base64'))}::text[]) as k (request_id, body)
    join attempt a on a.request_id = k.request_id
    on conflict (attempt_id, actor) do update set body = excluded.body`);
}

/**
 * Moves a call's journal from the cache to the database, before the call is forgotten.
 *
 * Why: the effect that forgets the call is repeated until it is done, so that the journal stands in the cache until its row does
 */
export async function keepJournal({ callStore, journals }: CallJournalsPart, requestId: string): Promise<void> {
  const journal = await callStore.readJournal(requestId);
  if (journal && journal.entries.length > 0) await journals.keep(requestId, journal);
}

/** Finds the journal of a call, over or not; null when there is none. Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE */
export async function findJournal({ callStore, journals }: CallJournalsPart, requestId: string): Promise<StoredJournal | null> {
  const read = async () => (await journals.find(requestId)) ?? callStore.readJournal(requestId);
  // It may have been moved between the two.
  return (await read()) ?? journals.find(requestId);
}
