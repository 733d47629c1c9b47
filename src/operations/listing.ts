import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#adapters/postgres/database.ts';
import { ids, intIds } from '#adapters/postgres/values.ts';
import type { z } from 'zod';
import type { pageQuery } from '#contract/rest/fields.ts';
import { notFound } from '#kernel/errors.ts';

/** Where lists are read. */
export interface ListDeps {
  db: Sql;
}

/** One page of a list: `total` counts every match (OCS 2.2). */
export interface Page<Row> {
  rows: Row[];
  page: number;
  pageSize: number;
  total: number;
}

/** Source: OCS 2.2 */
export type PageRequest = z.output<typeof pageQuery>;

/** What a list may be ordered by; rows of the same are ordered by their ids, which follow the time. */
export type OrderField = 'createdAt' | 'updatedAt' | 'name';

/** Where a part of a list begins, and which way it goes on: from the newest row to the oldest unless it says otherwise. */
interface Place {
  /** Only rows beyond the one with this id; null: from the end on. */
  beyond?: number | null;
  isAscending?: boolean;
  by?: OrderField;
}

export interface Window extends Place {
  limit: number;
  /** Rows left out in front. */
  offset?: number;
}

export interface SliceRequest extends Place {
  /** 1..200. */
  limit: number;
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
  /** What it may be ordered by beside the time. */
  orders?: Partial<Record<OrderField, RawBuilder<unknown>>>;
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
    rows: (filter, window) =>
      sql<Row>`select page.* from (${list.rows(id, filter, window)}) as page order by ${inOrder(sql`page.id`, window)}`,
    total: filter => list.total(id, filter),
  };
}

export function listOf<Row, Filter>(
  table: Table<Row>,
  matches: (filter: Filter) => RawBuilder<unknown>,
  orders: List<Row, Filter>['orders'] = {},
): List<Row, Filter> {
  const { columns, from, id, exists } = table;
  return {
    orders,
    rows(filter, window) {
      const column = orders[window.by ?? 'createdAt'];
      const isInPlace = column ? isBeyondRow(table, column, window) : isBeyond(id, window);
      const order = column ? sql`${inOrder(column, window)}, ${inOrder(id, window)}` : inOrder(id, window);
      return sql<Row>`select ${columns} from ${from} where ${exists} and ${matches(filter)} and ${isInPlace} order by ${order} ${cut(window)}`;
    },
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
  return cutEach(campaignIds, request, window => db.rows(ofEach(campaignIds, list.rows(ASKED, request, window), window)));
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

/** What `rows` gives for each campaign, in its order; those of one campaign are found as if it were asked for alone. */
export function ofEach<Row>(
  campaignIds: readonly number[],
  rows: RawBuilder<Row>,
  place: Place,
  order = inOrder(sql`slice.id`, place),
): RawBuilder<Row> {
  return sql<Row>`select slice.* from unnest(${intIds(campaignIds)}) as asked (id) cross join lateral (${rows}) as slice order by ${order}`;
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

/** As `cutEach` of one list. */
export async function cutOne<Row>(request: SliceRequest, read: (window: Window) => Promise<Row[]>): Promise<Slice<Row>> {
  return sliceOf(await read(oneMore(request)), request);
}

/** Cursors come from clients: any id is compared, also one that the column could not hold. */
export function isBeyond(id: RawBuilder<unknown>, { beyond = null, isAscending = false }: Place): RawBuilder<unknown> {
  return beyond === null ? sql`true` : sql`${id} ${isAscending ? sql`>` : sql`<`} ${beyond}::bigint`;
}

/** As `isBeyond` by another column, whose value is looked up as it is now: a cursor names the row alone. */
function isBeyondRow({ from, id }: Table<unknown>, column: RawBuilder<unknown>, { beyond = null, isAscending = false }: Place) {
  const place = sql`(select ${column}, ${id} from ${from} where ${id} = ${beyond}::bigint)`;
  return beyond === null ? sql`true` : sql`(${column}, ${id}) ${isAscending ? sql`>` : sql`<`} ${place}`;
}

export function inOrder(column: RawBuilder<unknown>, { isAscending = false }: Place): RawBuilder<unknown> {
  return isAscending ? sql`${column} asc` : sql`${column} desc`;
}

export function cut({ limit, offset = 0 }: Window): RawBuilder<unknown> {
  return offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`;
}

/** One row more than asked for shows whether there are more. */
function oneMore({ limit, beyond = null, isAscending = false, by = 'createdAt' }: SliceRequest): Window {
  return { limit: limit + 1, beyond, isAscending, by };
}

function sliceOf<Row>(rows: Row[], { limit }: SliceRequest): Slice<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
