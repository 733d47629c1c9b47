import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { bigRowId, instant } from '#kernel/fields.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { cutOne, isBeyond, type Slice, type SliceRequest } from '#platform/postgres/listing.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import { runtimeEvent } from './runtime-event.ts';
import { eventMatches, type RuntimeEventSearch } from './runtime-event-store.ts';

/** Equal events in a row, folded to one line. Source: D14.5 */
export const runtimeEventRun = z
  .object({
    id: bigRowId.meta({ description: '最早一条事件的编号，也是下一页的 before；与 newest.id 作 fromId、toId 即可逐条读出' }),
    count: z.int().positive().meta({ description: '事件的条数' }),
    firstAt: instant.meta({ description: '最早一条的时间' }),
    lastAt: instant.meta({ description: '最新一条的时间' }),
    newest: runtimeEvent,
  })
  .meta({ id: 'RuntimeEventRun' });

export type RuntimeEventRun = z.output<typeof runtimeEventRun>;

/**
 * How many events are folded at most, tried one after the other until the slice is full.
 *
 * Why: most pages are full within the first; a run longer than the last is told in several lines, so that a page has a bounded cost
 */
const WINDOWS = [1_000, 10_000, 50_000];

export interface RunsSearch extends RuntimeEventSearch {
  /** Whether equal events are one line; otherwise each is a run of its own. */
  isFolded: boolean;
}

/** Reads a slice of runs, newest first. Errors: DATABASE_UNAVAILABLE */
export function readEventRuns({ db }: { db: Sql }, search: RunsSearch, request: SliceRequest): Promise<Slice<RuntimeEventRun>> {
  return cutOne(request, async ({ limit, beyond }) => {
    const rows = await readInWindows(db, { search, limit, beyond: beyond ?? null });
    return rows.map(({ first, count, firstAt, lastAt, isCut: _isCut, ...newest }) => ({ id: first, count, firstAt, lastAt, newest }));
  });
}

interface RunsRequest {
  search: RunsSearch;
  limit: number;
  beyond: number | null;
}

async function readInWindows(db: Sql, request: RunsRequest): Promise<RunRow[]> {
  let rows: RunRow[] = [];
  for (const window of WINDOWS) {
    rows = await db.rows(runsWithin(window, request));
    if (isWhole(rows, request.limit)) break;
  }
  return rows;
}

/** Whether no larger window could change the rows: the last requested run lies within the window, or all events do. */
function isWhole(rows: readonly RunRow[], limit: number): boolean {
  return rows.length === limit || rows.at(-1)?.isCut !== true;
}

type RunRow = z.output<typeof runtimeEvent> & Omit<z.output<typeof runtimeEventRun>, 'id' | 'newest'> & { first: number; isCut: boolean };

/** Adjacent events fold into one run if these values are equal; from `detail`, only members that the event's text shows. */
const FOLDED = sql`array[level, type, title, campaign_id::text, cell_id, (acknowledged_at is null)::text,
  detail->>'by', detail->>'reason', detail->>'keyword', detail->>'kind', detail->>'name']`;

const ALONE = sql`array[id::text]`;

const COLUMNS = columnsOf(runtimeEvent, 'e');

function runsWithin(window: number, { search, limit, beyond }: RunsRequest): RawBuilder<RunRow> {
  return sql<RunRow>`
    with recent as (
      select id, created_at, ${search.isFolded ? FOLDED : ALONE} as key from runtime_event
      where ${eventMatches(search)} and ${isBeyond(sql`id`, { beyond })} order by id desc limit ${window}),
    ends as (select recent.*, key is distinct from lag(key) over (order by id desc) as begins from recent),
    numbered as (select ends.*, count(*) filter (where begins) over (order by id desc) as run from ends),
    runs as (
      select run, count(*)::int as count, min(id) as first, max(id) as last, min(created_at) as first_at, max(created_at) as last_at
      from numbered group by run order by run limit ${limit})
    select ${COLUMNS}, runs.count, runs.first, runs.first_at, runs.last_at,
      (select count(*) from recent) = ${window} and runs.first = (select min(id) from recent) as is_cut
    from runs join runtime_event e on e.id = runs.last order by runs.run`;
}
