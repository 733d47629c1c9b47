import type { Sql } from '../postgres/database.ts';
import { MAX_PAGE_SIZE, searchText } from '../http/route.ts';
import { parseInput } from '../http/parse.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { countRows, type List, type OrderField, readSlice, type Slice, type SliceRequest } from '../postgres/listing.ts';

/** A slice of a list before it is presented. */
export interface Connection<Row extends { id: number }> {
  slice: Slice<Row>;
  request: ConnectionRequest;
  /** Counts the whole list; called only when a client requests the count. */
  total: () => Promise<number>;
}

/** Most rows in one slice. */
export const MAX_SLICE = MAX_PAGE_SIZE;

/** `isBackward`: the slice is counted from the end of the list, and rows are read in reverse order. */
export interface ConnectionRequest extends SliceRequest {
  isBackward: boolean;
}

export interface SliceArgs {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  orderBy?: { field?: OrderField | null; direction?: 'asc' | 'desc' | null } | null;
}

/** Arguments that cut a slice out of a list; all other arguments decide which rows the list has. */
export const SLICE_ARGS: readonly string[] = ['first', 'after', 'last', 'before', 'orderBy'] satisfies (keyof SliceArgs)[];

/**
 * Errors: INVALID_ARGUMENT naming the argument
 * Source: D2.4 for the bounds
 */
export function sliceRequest({ first, after, last, before, orderBy }: SliceArgs, orders: object = {}): ConnectionRequest {
  const isBackward = typeof last === 'number';
  const [size, cursor] = isBackward ? ([last, before] as const) : ([first, after] as const);
  if (isBackward && typeof first === 'number') throw invalidArgument('last', 'notTogether', { other: 'first' });
  if (typeof size !== 'number') throw invalidArgument('first', 'firstOrLast');
  if (size < 1) throw invalidArgument(isBackward ? 'last' : 'first', 'atLeast', { min: 1 });
  const stray = isBackward ? after : before;
  if (typeof stray === 'string')
    throw invalidArgument(isBackward ? 'after' : 'before', 'onlyTogether', { other: isBackward ? 'first' : 'last' });
  const by = orderBy?.field ?? 'createdAt';
  if (by !== 'createdAt' && !(by in orders)) throw invalidArgument('orderBy.field', 'order');
  const beyond = typeof cursor === 'string' ? idOfCursor(isBackward ? 'before' : 'after', cursor) : null;
  return { limit: Math.min(size, MAX_SLICE), beyond, by, isAscending: (orderBy?.direction === 'asc') !== isBackward, isBackward };
}

/** Connection over a list. */
export function connectTo<Row extends { id: number }, Filter>(
  app: { db: Sql },
  list: List<Row, Filter>,
  filter: Filter,
  args: SliceArgs,
): Promise<Connection<Row>> {
  return connect(
    sliceRequest(args, list.orders),
    slice => readSlice(app, list, { ...filter, ...slice }),
    () => countRows(app, list, filter),
  );
}

/** Connection over the slice that `read` returns. */
export async function connect<Row extends { id: number }>(
  request: ConnectionRequest,
  read: (slice: SliceRequest) => Promise<Slice<Row>>,
  total: () => Promise<number>,
): Promise<Connection<Row>> {
  const { isBackward, ...slice } = request;
  const { rows, hasMore } = await read(slice);
  return { slice: { rows: isBackward ? rows.toReversed() : rows, hasMore }, request, total };
}

/** Resolvers of every connection type: `edges`, `nodes`, `pageInfo`, `totalCount`. */
export function connectionFields<Row extends { id: number }>() {
  return {
    edges: ({ slice }: Connection<Row>) => slice.rows.map(node => ({ cursor: cursorOf(node), node })),
    nodes: ({ slice }: Connection<Row>) => slice.rows,
    pageInfo: ({ slice: { rows, hasMore }, request: { beyond = null, isBackward } }: Connection<Row>) => {
      const [first, last] = [rows.at(0), rows.at(-1)];
      const isContinued = beyond !== null;
      return {
        hasNextPage: isBackward ? isContinued : hasMore,
        hasPreviousPage: isBackward ? hasMore : isContinued,
        startCursor: first ? cursorOf(first) : null,
        endCursor: last ? cursorOf(last) : null,
      };
    },
    totalCount: ({ total }: Connection<Row>) => total(),
  };
}

/** Search text of a list; empty means no search. Errors: INVALID_ARGUMENT when it is too long */
export function searchOf(search: string | null | undefined): string {
  return parseInput(searchText, search ?? '', 'search');
}

/** Opaque cursor; the rows after it stay the same when rows are added in front. */
function cursorOf({ id }: { id: number }): string {
  return Buffer.from(`id:${id}`).toString('base64url');
}

function idOfCursor(name: string, cursor: string): number {
  const id = Number(/^id:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]);
  if (!Number.isSafeInteger(id)) throw invalidArgument(name, 'cursor');
  return id;
}
