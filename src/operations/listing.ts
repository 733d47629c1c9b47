import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#adapters/postgres/database.ts';
import { ids, intIds } from '#adapters/postgres/values.ts';
import { notFound } from '#kernel/errors.ts';
import type { Page, PageRequest } from '#ports/records.ts';

/** Where lists are read. */
export interface ListDeps {
  db: Sql;
}

/** A part of a list from the newest row to the oldest. */
export interface Window {
  limit: number;
  /** Rows left out in front. */
  offset?: number;
  /** Only rows with a smaller id; null: from the newest on. */
  before?: number | null;
}

export interface SliceRequest {
  /** 1..200. */
  limit: number;
  before: number | null;
}

export interface Slice<Row> {
  rows: Row[];
  /** Whether there is more behind the last row. */
  hasMore: boolean;
}

/** Rows of one noun. */
export interface Table<Row> {
  columns: RawBuilder<Row>;
  from: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  /** Which rows are not deleted. */
  exists: RawBuilder<unknown>;
}

/** Rows of one noun, newest first: REST reads them by page, GraphQL by cursor, both by these statements. */
export interface List<Row, Filter> {
  rows(filter: Filter, window: Window): RawBuilder<Row>;
  /** An expression: how many match. */
  total(filter: Filter): RawBuilder<number>;
}

/** A list that each campaign has; `campaignId` is an expression, an int. */
export interface CampaignList<Row, Filter> {
  /** In any order. */
  rows(campaignId: RawBuilder<unknown>, filter: Filter, window: Window): RawBuilder<Row>;
  total(campaignId: RawBuilder<unknown>, filter: Filter): RawBuilder<number>;
}

/** The list of one campaign. */
export function ofCampaign<Row, Filter>(list: CampaignList<Row, Filter>, campaignId: number): List<Row, Filter> {
  const id = sql`${campaignId}::int`;
  return {
    rows: (filter, window) => sql<Row>`select page.* from (${list.rows(id, filter, window)}) as page order by page.id desc`,
    total: filter => list.total(id, filter),
  };
}

export function listOf<Row, Filter>(table: Table<Row>, matches: (filter: Filter) => RawBuilder<unknown>): List<Row, Filter> {
  const { columns, from, id, exists } = table;
  return {
    rows: (filter, window) => sql<Row>`
      select ${columns} from ${from} where ${exists} and ${matches(filter)} and ${isBefore(id, window)} order by ${id} desc ${cut(window)}`,
    total: filter => sql<number>`(select count(*) from ${from} where ${exists} and ${matches(filter)})`,
  };
}

/** In any order; unknown and deleted ones are left out. */
export function rowsById<Row>({ db }: ListDeps, { columns, from, id, exists }: Table<Row>, rowIds: readonly number[]): Promise<Row[]> {
  return db.rows(sql<Row>`select ${columns} from ${from} where ${id} = any(${ids(rowIds)}) and ${exists}`);
}

/** Errors: NOT_FOUND, naming what is missing */
export async function requireRow<Row>(deps: ListDeps, table: Table<Row>, rowId: number, what: string): Promise<Row> {
  const [row] = await rowsById(deps, table, [rowId]);
  if (row === undefined) throw notFound(what);
  return row;
}

/** Nothing is read for a page behind the last row, nor for a filter that nothing matches. */
export async function readPage<Row, Filter>(deps: ListDeps, list: List<Row, Filter>, query: PageRequest & Filter): Promise<Page<Row>> {
  const { page, pageSize } = query;
  const total = await countRows(deps, list, query);
  const offset = (page - 1) * pageSize;
  return { rows: offset >= total ? [] : await deps.db.rows(list.rows(query, { limit: pageSize, offset })), page, pageSize, total };
}

/** A slice costs the same wherever it begins. */
export async function readSlice<Row, Filter>(
  { db }: ListDeps,
  list: List<Row, Filter>,
  request: SliceRequest & Filter,
): Promise<Slice<Row>> {
  return sliceOf(await db.rows(list.rows(request, oneMore(request))), request);
}

export async function countRows<Row, Filter>({ db }: ListDeps, list: List<Row, Filter>, filter: Filter): Promise<number> {
  return (await db.first(sql<{ total: number }>`select ${list.total(filter)} as total`))?.total ?? 0;
}

/** One slice of each campaign, in the order of the ids, which are distinct: one statement for all. */
export function readSlices<Row extends { campaignId: number }, Filter>(
  { db }: ListDeps,
  list: CampaignList<Row, Filter>,
  campaignIds: readonly number[],
  request: SliceRequest & Filter,
): Promise<Slice<Row>[]> {
  return cutEach(campaignIds, request, window => db.rows(ofEach(campaignIds, list.rows(ASKED, request, window))));
}

/** As `readSlices`: how many match. */
export async function countEach<Row, Filter>(
  { db }: ListDeps,
  list: CampaignList<Row, Filter>,
  campaignIds: readonly number[],
  filter: Filter,
): Promise<number[]> {
  const rows = await db.rows(sql<{ id: number; total: number }>`
    select asked.id, ${list.total(ASKED, filter)} as total from unnest(${intIds(campaignIds)}) as asked (id)`);
  const totals = new Map(rows.map(row => [row.id, row.total]));
  return campaignIds.map(id => totals.get(id) ?? 0);
}

/** The campaign that a statement of `ofEach` looks at. */
export const ASKED = sql`asked.id`;

/** What `rows` gives for each campaign, newest first; those of one campaign are found as if it were asked for alone. */
export function ofEach<Row>(campaignIds: readonly number[], rows: RawBuilder<Row>): RawBuilder<Row> {
  return sql<Row>`
    select slice.* from unnest(${intIds(campaignIds)}) as asked (id) cross join lateral (${rows}) as slice order by slice.id desc`;
}

/** Shape: `read` gives the rows of the window of each campaign, those of one campaign in their order */
export async function cutEach<Row extends { campaignId: number }>(
  campaignIds: readonly number[],
  request: SliceRequest,
  read: (window: Window) => Promise<Row[]>,
): Promise<Slice<Row>[]> {
  const rows = Map.groupBy(await read(oneMore(request)), ({ campaignId }) => campaignId);
  return campaignIds.map(campaignId => sliceOf(rows.get(campaignId) ?? [], request));
}

/** Cursors come from clients: any id is compared, also one that the column could not hold. */
export function isBefore(id: RawBuilder<unknown>, { before = null }: Window): RawBuilder<unknown> {
  return before === null ? sql`true` : sql`${id} < ${before}::bigint`;
}

export function cut({ limit, offset = 0 }: Window): RawBuilder<unknown> {
  return offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`;
}

/** One row more than asked for shows whether there are more. */
function oneMore({ limit, before }: SliceRequest): Window {
  return { limit: limit + 1, before };
}

function sliceOf<Row>(rows: Row[], { limit }: SliceRequest): Slice<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
