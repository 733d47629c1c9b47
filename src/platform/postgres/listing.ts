import { type RawBuilder, sql } from 'kysely';
import { ids, intIds } from './values.ts';
import type { z } from 'zod';
import type { pageQuery } from '../http/route.ts';
import { notFound } from '#kernel/errors.ts';
import type { Sql } from './database.ts';

/** One page of a list: `total` counts every match (OCS 2.2). */
export interface Page<Row> {
  rows: Row[];
  page: number;
  pageSize: number;
  total: number;
}

/** Source: OCS 2.2 */
export type PageRequest = z.output<typeof pageQuery>;

/** Sort field of a list; rows with equal values are sorted by their ids, which follow time. */
export type OrderField = 'createdAt' | 'updatedAt' | 'name' | 'dueAt';

/** Start and direction of a part of a list; the default direction is from newest to oldest. */
interface Place {
  /** Only rows after the one with this id; null starts at the first row. */
  beyond?: number | null;
  isAscending?: boolean;
  by?: OrderField;
}

export interface Window extends Place {
  limit: number;
  /** Rows to skip. */
  offset?: number;
}

export interface SliceRequest extends Place {
  /** 1..200. */
  limit: number;
}

export interface Slice<Row> {
  rows: Row[];
  /** Whether more rows follow. */
  hasMore: boolean;
}

/** SQL for reading the rows of one noun. */
export interface Table<Row> {
  columns: RawBuilder<Row>;
  from: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  /** Condition that excludes deleted rows. */
  exists: RawBuilder<unknown>;
}

/** A list of one noun, newest first: REST reads it by page, GraphQL by cursor, both with these statements. */
export interface List<Row, Filter> {
  /** Columns by which the list can be sorted, besides the creation time. */
  orders?: Partial<Record<OrderField, RawBuilder<unknown>>>;
  rows(filter: Filter, window: Window): RawBuilder<Row>;
  /** SQL expression that counts the matches. */
  total(filter: Filter): RawBuilder<number>;
}

/** A list that each campaign has; `campaignId` is an SQL expression of type int. */
export interface CampaignList<Row, Filter> {
  /** Rows in any order. */
  rows(campaignId: RawBuilder<unknown>, filter: Filter, window: Window): RawBuilder<Row>;
  total(campaignId: RawBuilder<unknown>, filter: Filter): RawBuilder<number>;
}

/** Narrows the list to one campaign. */
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

/** Reads rows by id, in any order; unknown and deleted ones are left out. */
export function rowsById<Row>({ db }: { db: Sql }, { columns, from, id, exists }: Table<Row>, rowIds: readonly number[]): Promise<Row[]> {
  return db.rows(sql<Row>`select ${columns} from ${from} where ${id} = any(${ids(rowIds)}) and ${exists}`);
}

/** Errors: NOT_FOUND, naming what is missing */
export async function requireRow<Row>(app: { db: Sql }, table: Table<Row>, rowId: number, what: string): Promise<Row> {
  const [row] = await rowsById(app, table, [rowId]);
  if (row === undefined) throw notFound(what);
  return row;
}

/** Reads one page; skips the query for rows when the page is past the end or nothing matches. */
export async function readPage<Row, Filter>(app: { db: Sql }, list: List<Row, Filter>, query: PageRequest & Filter): Promise<Page<Row>> {
  const { page, pageSize } = query;
  const total = await countRows(app, list, query);
  const offset = (page - 1) * pageSize;
  return { rows: offset >= total ? [] : await app.db.rows(list.rows(query, { limit: pageSize, offset })), page, pageSize, total };
}

/** Reads one slice; its cost does not depend on where it begins. */
export async function readSlice<Row, Filter>(
  { db }: { db: Sql },
  list: List<Row, Filter>,
  request: SliceRequest & Filter,
): Promise<Slice<Row>> {
  return sliceOf(await db.rows(list.rows(request, oneMore(request))), request);
}

export async function countRows<Row, Filter>({ db }: { db: Sql }, list: List<Row, Filter>, filter: Filter): Promise<number> {
  return (await db.first(sql<{ total: number }>`select ${list.total(filter)} as total`))?.total ?? 0;
}

/** Reads one slice per campaign in a single statement, in the order of `campaignIds`, which must be distinct. */
export function readSlices<Row extends { campaignId: number }, Filter>(
  { db }: { db: Sql },
  list: CampaignList<Row, Filter>,
  campaignIds: readonly number[],
  request: SliceRequest & Filter,
): Promise<Slice<Row>[]> {
  return cutEach(campaignIds, request, window => db.rows(ofEach(campaignIds, list.rows(REQUESTED_ID, request, window), window)));
}

/** Like `readSlices`, but counts the matches. */
export async function countEach<Row, Filter>(
  { db }: { db: Sql },
  list: CampaignList<Row, Filter>,
  campaignIds: readonly number[],
  filter: Filter,
): Promise<number[]> {
  const rows = await db.rows(sql<{ id: number; total: number }>`
    select asked.id, ${list.total(REQUESTED_ID, filter)} as total from unnest(${intIds(campaignIds)}) as asked (id)`);
  const totals = new Map(rows.map(row => [row.id, row.total]));
  return campaignIds.map(id => totals.get(id) ?? 0);
}

/** Id of the current campaign within a statement of `ofEach`. */
export const REQUESTED_ID = sql`asked.id`;

/** Joins `rows` laterally to each campaign, so that the rows of each are found as in a query for that campaign alone. */
export function ofEach<Row>(
  campaignIds: readonly number[],
  rows: RawBuilder<Row>,
  place: Place,
  order = inOrder(sql`slice.id`, place),
): RawBuilder<Row> {
  return sql<Row>`select slice.* from unnest(${intIds(campaignIds)}) as asked (id) cross join lateral (${rows}) as slice order by ${order}`;
}

/** Shape: `read` returns the window of each campaign, the rows of one campaign in order */
export async function cutEach<Row extends { campaignId: number }>(
  campaignIds: readonly number[],
  request: SliceRequest,
  read: (window: Window) => Promise<Row[]>,
): Promise<Slice<Row>[]> {
  const rows = Map.groupBy(await read(oneMore(request)), ({ campaignId }) => campaignId);
  return campaignIds.map(campaignId => sliceOf(rows.get(campaignId) ?? [], request));
}

/** Like `cutEach`, for a single list. */
export async function cutOne<Row>(request: SliceRequest, read: (window: Window) => Promise<Row[]>): Promise<Slice<Row>> {
  return sliceOf(await read(oneMore(request)), request);
}

/** Cursors come from clients, so the comparison accepts any id, also one beyond the range of the column. */
export function isBeyond(id: RawBuilder<unknown>, { beyond = null, isAscending = false }: Place): RawBuilder<unknown> {
  return beyond === null ? sql`true` : sql`${id} ${isAscending ? sql`>` : sql`<`} ${beyond}::bigint`;
}

/** Like `isBeyond`, by another column; its current value is looked up, because a cursor contains only the id of a row. */
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

/** Reads one row more than requested to learn whether more follow. */
function oneMore({ limit, beyond = null, isAscending = false, by = 'createdAt' }: SliceRequest): Window {
  return { limit: limit + 1, beyond, isAscending, by };
}

function sliceOf<Row>(rows: Row[], { limit }: SliceRequest): Slice<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
