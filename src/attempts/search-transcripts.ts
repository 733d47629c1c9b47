import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type AccessAuditPart, auditTranscriptRead } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { bigRowId, instant, rowId } from '#kernel/fields.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { ReportReader } from '#platform/postgres/report-reader.ts';
import { isFound } from '#platform/postgres/filters.ts';
import { columnsOf, ids, instant as at } from '#platform/postgres/values.ts';
import { type TranscriptSegment, transcriptSegment } from './attempt.ts';

/** Most lines of one call that a search names. */
const MAX_LINES = 5;
/**
 * Calls whose transcripts one request reads.
 *
 * Why: a substring has no index that serves Chinese, because a trigram needs three characters and most words have two. Therefore a request
 * reads a bounded number of calls and says where the next one goes on
 */
const MAX_CALLS = 20_000;
/** Longest range of a search over all campaigns. */
const MAX_DAYS = 92;
const MS_PER_DAY = 86_400_000;

/** A call in which the words were said. Source: D7.19 */
export const transcriptHit = z
  .object({
    attemptId: bigRowId,
    campaignId: rowId,
    createdAt: instant,
    count: z.int().positive().meta({ description: '通话中含有这些文字的句数' }),
    lines: z.array(transcriptSegment).meta({ description: `其中最早的 ${MAX_LINES} 句` }),
  })
  .meta({ id: 'TranscriptHit' });

export type TranscriptHit = z.output<typeof transcriptHit>;

export const transcriptHits = z.object({
  rows: z.array(transcriptHit),
  next: bigRowId.nullable().meta({ description: '继续查找的 before；空：已查完' }),
  searchedTo: instant.nullable().meta({ description: '已查到何时的通话；空：已查完' }),
});

export type TranscriptHits = z.output<typeof transcriptHits>;

export interface TranscriptSearch {
  /** Words, found anywhere in a line, whatever the case. */
  text: string;
  campaignId?: number | undefined;
  /** UTC ms, inclusive. */
  from?: number | undefined;
  /** UTC ms, exclusive. */
  to?: number | undefined;
  /** Only calls before the one with this row id. */
  before?: number | undefined;
  /** Most calls in the answer. */
  limit: number;
}

type SearchApp = AccessAuditPart & { reports: ReportReader; clock: Pick<Clock, 'now'> };

/**
 * Finds the calls in which somebody said the words, newest first, and audits that their transcripts were read.
 *
 * Errors: INVALID_ARGUMENT without a campaign and a start, or for more than 92 days of all campaigns
 * Source: D7.19
 */
export async function searchTranscripts(app: SearchApp, caller: Caller, search: TranscriptSearch): Promise<TranscriptHits> {
  requireBounds(search, app.clock.now());
  const { value } = await app.reports.read(async db => {
    const found = await readHits(db, search);
    return { ...found, rows: await withLines(db, search, found.hits) };
  });
  const { hits, last, searched, rows } = value;
  await Promise.all(rows.map(({ attemptId }) => auditTranscriptRead(app, caller, { targetType: 'attempt', targetId: attemptId })));
  const end = endOf(search, { hits, last, searched });
  return { rows, next: end?.id ?? null, searchedTo: end?.createdAt ?? null };
}

function requireBounds({ campaignId, from, to }: TranscriptSearch, now: number): void {
  if (campaignId !== undefined) return;
  if (from === undefined) throw invalidArgument('campaignId', 'missingTogether', { other: 'from' });
  if ((to ?? now) - from > MAX_DAYS * MS_PER_DAY) throw invalidArgument('from', 'daysFrom', { other: 'to', max: MAX_DAYS });
}

interface Place {
  id: number;
  createdAt: number;
}

interface Hit extends Place {
  campaignId: number;
  count: number;
}

interface HitsRow {
  hits: readonly Hit[];
  /** The oldest call that was read. */
  last: Place | null;
  /** Number of calls read. */
  searched: number;
}

async function readHits(db: Sql, search: TranscriptSearch): Promise<HitsRow> {
  const found = await db.first(sql<HitsRow>`
    with searched as materialized (
      select a.id, a.campaign_id, a.created_at from attempt a
      where a.deleted_at is null and a.answered_at is not null and ${sql.join(conditionsOf(search), sql` and `)}
      order by a.id desc limit ${MAX_CALLS}),
    hits as (
      select a.id, a.campaign_id, a.created_at, count(*)::int as count
      from searched a join transcript_segment s on s.attempt_id = a.id
      where ${isFound(search.text, [sql`s.text`])} group by a.id, a.campaign_id, a.created_at order by a.id desc limit ${search.limit})
    select (select count(*)::int from searched) as searched,
      (select ${placeOf(sql`o`)} from searched o order by o.id limit 1) as last,
      coalesce((select jsonb_agg(${placeOf(sql`h`)} || jsonb_build_object('campaignId', h.campaign_id, 'count', h.count) order by h.id desc)
        from hits h), '[]') as hits`);
  return found ?? { hits: [], last: null, searched: 0 };
}

function placeOf(row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`jsonb_build_object('id', ${row}.id, 'createdAt', (extract(epoch from ${row}.created_at) * 1000)::bigint)`;
}

function conditionsOf({ campaignId, from, to, before }: TranscriptSearch): RawBuilder<unknown>[] {
  return [
    sql`true`,
    ...(campaignId === undefined ? [] : [sql`a.campaign_id = ${campaignId}`]),
    ...(before === undefined ? [] : [sql`a.id < ${before}`]),
    ...(from === undefined ? [] : [sql`a.created_at >= ${at(from)}`, sql`a.id > ${lowestId(from)}`]),
    ...(to === undefined ? [] : [sql`a.created_at < ${at(to)}`, sql`a.id < ${highestId(to)}`]),
  ];
}

/** Calls claimed at almost the same time may have ids in any order. */
const UNORDERED = sql`interval '10 minutes'`;

/** An id that no call from the instant on is below; ids follow time, and calls with words have an index by time. */
function lowestId(from: number): RawBuilder<number> {
  return sql<number>`coalesce((select o.id from attempt o where o.recognized_text is not null and o.created_at < ${at(from)} - ${UNORDERED}
    order by o.created_at desc limit 1), 0)`;
}

/** An id that no call before the instant is above. */
function highestId(to: number): RawBuilder<number> {
  return sql<number>`coalesce((select o.id from attempt o where o.recognized_text is not null and o.created_at >= ${at(to)} + ${UNORDERED}
    order by o.created_at limit 1), ${Number.MAX_SAFE_INTEGER})`;
}

/** The call after which the next request continues; null at the end of the search. */
function endOf({ limit }: TranscriptSearch, { hits, last, searched }: HitsRow): Place | null {
  if (hits.length === limit) return hits.at(-1) ?? null;
  return searched === MAX_CALLS ? last : null;
}

async function withLines(db: Sql, { text }: TranscriptSearch, hits: readonly Hit[]): Promise<TranscriptHit[]> {
  const lines = Map.groupBy(await readLines(db, text, hits), ({ attemptId }) => attemptId);
  return hits.map(({ id, campaignId, createdAt, count }) => ({
    attemptId: id,
    campaignId,
    createdAt,
    count,
    lines: lines.get(id)?.slice(0, MAX_LINES) ?? [],
  }));
}

function readLines(db: Sql, text: string, hits: readonly Hit[]): Promise<TranscriptSegment[]> {
  return db.rows(sql<TranscriptSegment>`
    select ${columnsOf(transcriptSegment, 's')} from transcript_segment s
    where s.attempt_id = any(${ids(hits.map(({ id }) => id))}) and ${isFound(text, [sql`s.text`])} order by s.attempt_id, s.position, s.id`);
}
