import { sql } from 'kysely';
import type { AttemptQuery, AttemptStore } from '#ports/attempt-store.ts';
import type { Attempt, Batch, Page, PageRequest, TranscriptSegment } from '#ports/records.ts';
import { ATTEMPT_COLUMNS } from './attempt-columns.ts';
import { type AttemptFilter, attemptFilters, leadingFilter, tallyFilters } from './attempt-filter.ts';
import { attemptTotal, foldAttemptTallies } from './attempt-tally.ts';
import { BATCH_COLUMNS } from './batch-columns.ts';
import type { Database, Sql } from './database.ts';
import { OPEN } from './open-attempt.ts';
import { foldOverviewTallies } from './overview-tally.ts';
import { ids } from './values.ts';

/** Transcript segments of one attempt; a result report brings at most 2,000 (contract/runtime/result.ts), live calls add some. */
const MAX_SEGMENTS = 5_000;

export function attemptRepository(db: Database): AttemptStore {
  return {
    list: query => listAttempts(db, query),
    async find(attemptId) {
      const row = await db.first(sql<Attempt>`select ${ATTEMPT_COLUMNS} from attempt a where a.id = ${attemptId} and a.deleted_at is null`);
      return row ?? null;
    },
    recent: limit =>
      db.rows(sql<Attempt>`select ${ATTEMPT_COLUMNS} from attempt a where a.deleted_at is null order by a.id desc limit ${limit}`),
    transcript: attemptId => readTranscript(db, attemptId),
    softDelete: attemptIds => db.transaction(inside => softDelete(inside, attemptIds)),
    listBatches: (campaignId, page) => listBatches(db, campaignId, page),
    async foldTallies() {
      await db.transaction(foldAttemptTallies);
      await db.transaction(foldOverviewTallies);
    },
  };
}

/** Nothing is read for a page behind the last row, nor for a filter that nothing matches. */
async function listAttempts(db: Sql, query: AttemptQuery): Promise<Page<Attempt>> {
  const { page, pageSize } = query;
  const total = await countAttempts(db, query);
  const offset = (page - 1) * pageSize;
  const rows = offset >= total ? [] : await readPage(db, query, { limit: pageSize, offset });
  return { rows, page, pageSize, total };
}

/** How many attempts match, exact at one instant. */
export async function countAttempts(db: Sql, query: AttemptFilter): Promise<number> {
  const row = await db.first(sql<{ total: number }>`select ${attemptTotal(tallyFilters(query), query)} as total`);
  return row?.total ?? 0;
}

/**
 * The page's ids come from an index; only the rows of the page are read.
 *
 * Why: sorting by the filtered column first, and asking for it as a list, changes no order, but keeps the planner on the index that begins with it.
 *      Left to itself it walks all attempts from the newest one, which reads millions when those that match are old
 */
function readPage(db: Sql, query: AttemptQuery, page: { limit: number; offset: number }): Promise<Attempt[]> {
  const { condition, column, rest } = leadingFilter(query);
  return db.rows(sql<Attempt>`
    select ${ATTEMPT_COLUMNS} from attempt a
    join (select a.id from attempt a where a.deleted_at is null and ${sql.join([condition, ...attemptFilters(rest)], sql` and `)}
          order by ${column ? sql`${column}, a.id desc` : sql`a.id desc`} limit ${page.limit} offset ${page.offset}) as page on page.id = a.id
    order by a.id desc`);
}

async function readTranscript(db: Sql, attemptId: number): Promise<TranscriptSegment[] | null> {
  const found = await db.first(sql<{ id: number }>`select id from attempt where id = ${attemptId} and deleted_at is null`);
  if (!found) return null;
  return db.rows(sql<TranscriptSegment>`
    select id, attempt_id as "attemptId", segment_id as "segmentId", speaker, text, start_ms as "startMs", end_ms as "endMs",
           node_id as "nodeId", created_at as "createdAt", updated_at as "updatedAt"
    from transcript_segment where attempt_id = ${attemptId} order by position, id limit ${MAX_SEGMENTS}`);
}

async function softDelete(inside: Sql, attemptIds: readonly number[]): Promise<number> {
  const row = await inside.first(sql<{ hidden: number }>`
    with closed as (
      select a.id from attempt a where a.id = any(${ids(attemptIds)}) and a.deleted_at is null and not (${OPEN})
      order by a.id for no key update),
    hidden as (update attempt set deleted_at = now() where id in (select id from closed) returning id, contact_id),
    cleared as (
      update contact set last_attempt_id = null from hidden
      where contact.id = hidden.contact_id and contact.last_attempt_id = hidden.id returning contact.id)
    select count(*) as hidden from hidden`);
  return row?.hidden ?? 0;
}

async function listBatches(db: Sql, campaignId: number, { page, pageSize }: PageRequest): Promise<Page<Batch> | null> {
  const counted = await db.first(sql<{ total: number }>`
    select (select count(*) from batch b where b.campaign_id = c.id) as total from campaign c
    where c.id = ${campaignId} and c.deleted_at is null`);
  if (!counted) return null;
  const rows = await db.rows(sql<Batch>`
    select ${BATCH_COLUMNS} from batch where campaign_id = ${campaignId}
    order by id desc limit ${pageSize} offset ${(page - 1) * pageSize}`);
  return { rows, page, pageSize, total: counted.total };
}
