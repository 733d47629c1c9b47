import { MAX_PAGE_SIZE, searchText } from '#contract/rest/fields.ts';
import { parseInput } from '#contract/rest/parse.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { countRows, type List, type ListDeps, readSlice, type Slice, type SliceRequest } from '#operations/listing.ts';

/** A slice of a list on its way to the wire. */
export interface Connection<Row extends { id: number }> {
  slice: Slice<Row>;
  /** Whether rows before it were left out. */
  isContinued: boolean;
  /** Counts only when it is asked for. */
  total: () => Promise<number>;
}

/** Rows in one slice. */
export const MAX_SLICE = MAX_PAGE_SIZE;

/**
 * Errors: INVALID_ARGUMENT naming `first` or `after`
 * Source: D2.4 for the bounds
 */
export function sliceRequest({ first, after }: SliceArgs): SliceRequest {
  if (first < 1) throw invalidArgument('first', '不能小于 1');
  return { limit: Math.min(first, MAX_SLICE), before: after === null || after === undefined ? null : idOfCursor(after) };
}

interface SliceArgs {
  first: number;
  after?: string | null;
}

/** The connection over a list. */
export function connectTo<Row extends { id: number }, Filter>(
  deps: ListDeps,
  list: List<Row, Filter>,
  filter: Filter,
  args: SliceArgs,
): Promise<Connection<Row>> {
  return connect(
    args,
    slice => readSlice(deps, list, { ...filter, ...slice }),
    () => countRows(deps, list, filter),
  );
}

/** The connection over the slice that `read` gives. */
export async function connect<Row extends { id: number }>(
  args: SliceArgs,
  read: (slice: SliceRequest) => Promise<Slice<Row>>,
  total: () => Promise<number>,
): Promise<Connection<Row>> {
  const request = sliceRequest(args);
  return { slice: await read(request), isContinued: request.before !== null, total };
}

/** The resolvers of every connection type: `edges`, `nodes`, `pageInfo`, `totalCount`. */
export function connectionFields<Row extends { id: number }>() {
  return {
    edges: ({ slice }: Connection<Row>) => slice.rows.map(node => ({ cursor: cursorOf(node), node })),
    nodes: ({ slice }: Connection<Row>) => slice.rows,
    pageInfo: ({ slice: { rows, hasMore }, isContinued }: Connection<Row>) => {
      const [first, last] = [rows.at(0), rows.at(-1)];
      return {
        hasNextPage: hasMore,
        hasPreviousPage: isContinued,
        startCursor: first ? cursorOf(first) : null,
        endCursor: last ? cursorOf(last) : null,
      };
    },
    totalCount: ({ total }: Connection<Row>) => total(),
  };
}

/** The text to look for; empty looks for nothing. Errors: INVALID_ARGUMENT when it is too long */
export function searchOf(search: string | null | undefined): string {
  return parseInput(searchText, search ?? '', 'search');
}

/** Opaque to clients: what follows stays the same when rows are added in front. */
function cursorOf({ id }: { id: number }): string {
  return Buffer.from(`id:${id}`).toString('base64url');
}

function idOfCursor(cursor: string): number {
  const id = Number(/^id:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]);
  if (!Number.isSafeInteger(id)) throw invalidArgument('after', '不是有效的游标');
  return id;
}
