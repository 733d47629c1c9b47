import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';

interface Slice<Row> {
  nodes: readonly Row[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

interface Rows<Row> {
  /** Key of the list to which the rows belong: its document and variables. */
  of: string;
  rows: readonly Row[];
  /** Null until they are counted. */
  total: number | null;
  /** Cursor of the next slice; null at the end. */
  after: string | null;
  /** Whether only the first slice is loaded. */
  isFirst: boolean;
  isLoading: boolean;
  error: Error | null;
}

interface RowsView<Row> extends Omit<Rows<Row>, 'after' | 'isFirst'> {
  /** Absent when there is no more. */
  loadMore: (() => void) | undefined;
  /** Loads the list again from its first slice. */
  reload: () => void;
  /** Loads one slice of the largest size without showing it, for a caller that reads all of them. */
  read: (after: string | null) => Promise<Slice<Row> | null | undefined>;
}

interface RowsOptions<Data, Variables, Row> {
  document: TypedDocumentNode<Data, Variables & { after?: string | null | undefined }>;
  variables: Variables;
  sliceOf: (data: Data) => Slice<Row> | null | undefined;
  /** Refresh interval of the first slice, in ms, as long as no other is loaded; absent: never. */
  lookMs?: number;
}

/** Largest slice that the server returns. */
const MOST_ROWS = 200;

const NONE: Rows<never> = { of: '', rows: [], total: null, after: null, isFirst: true, isLoading: true, error: null };

/**
 * A list of any length, loaded slice by slice as it is scrolled; the old rows stay until the rows of another filter arrive.
 *
 * Why: kept outside the cache, which reads every row of a list again for each new slice: near 100,000 rows that blocks the page each time
 */
export function useRows<Data, Variables extends OperationVariables, Row>(options: RowsOptions<Data, Variables, Row>): RowsView<Row> {
  const { document, sliceOf, lookMs } = options;
  const client = useApolloClient();
  const asked = JSON.stringify(options.variables);
  const [generation, reload] = useReducer((count: number) => count + 1, 0);
  const [state, setState] = useState<Rows<Row>>(NONE);
  const readSlice = useCallback(
    async (after: string | null, size: { first?: number } = {}) => {
      const variables = { ...(JSON.parse(asked) as Variables), ...size, after };
      const { data } = await client.query({ query: document, variables, fetchPolicy: 'no-cache' } as Parameters<typeof client.query>[0]);
      return data ? sliceOf(data as Data) : null;
    },
    [client, document, sliceOf, asked],
  );
  const read = useCallback((after: string | null) => readSlice(after, { first: MOST_ROWS }), [readSlice]);
  /** Only the latest request counts: a slice for an older list is dropped. */
  const turn = useRef(0);
  const ask = useCallback(
    (after: string | null, before: readonly Row[]) => {
      turn.current += 1;
      const mine = turn.current;
      setState(now => ({ ...now, isLoading: true, error: null }));
      readSlice(after).then(
        slice => mine === turn.current && setState(grown(asked, before, slice)),
        (error: Error) => mine === turn.current && setState(now => ({ ...now, isLoading: false, after: null, error })),
      );
    },
    [readSlice, asked],
  );
  useEffect(() => ask(null, []), [ask, generation]);
  const { after, rows, isLoading } = state;
  const isResting = state.isFirst && !isLoading && state.error === null;
  useEffect(() => {
    const look = () => {
      const mine = turn.current;
      // A newer request wins, and a failed refresh keeps the old rows.
      readSlice(null).then(
        slice => mine === turn.current && setState(grown(asked, [], slice)),
        () => undefined,
      );
    };
    const timer = lookMs !== undefined && isResting ? setInterval(look, lookMs) : undefined;
    return () => clearInterval(timer);
  }, [lookMs, isResting, readSlice, asked]);
  const loadMore = useCallback(() => {
    if (after !== null) ask(after, rows);
  }, [ask, after, rows]);
  return { ...state, loadMore: after === null || isLoading ? undefined : loadMore, reload, read };
}

function grown<Row>(of: string, before: readonly Row[], slice: Slice<Row> | null | undefined): Rows<Row> {
  return {
    of,
    rows: [...before, ...(slice?.nodes ?? [])],
    total: slice?.totalCount ?? 0,
    after: slice?.pageInfo.hasNextPage ? slice.pageInfo.endCursor : null,
    isFirst: before.length === 0,
    isLoading: false,
    error: null,
  };
}

interface SliceView<Row> {
  rows: readonly Row[];
  /** Null until they are counted. */
  total: number | null;
  loadMore: (() => void) | undefined;
}

/** Props of a table for a short list in the cache, which grows at its end. */
export function useSlice<Row>(
  slice: Slice<Row> | null | undefined,
  fetchMore: (options: { variables: { after: string } }) => unknown,
): SliceView<Row> {
  const after = slice?.pageInfo.hasNextPage ? slice.pageInfo.endCursor : null;
  const loadMore = useCallback(() => {
    if (after !== null) void fetchMore({ variables: { after } });
  }, [fetchMore, after]);
  return { rows: slice?.nodes ?? [], total: slice?.totalCount ?? null, loadMore: after === null ? undefined : loadMore };
}

/** Loads every row of a list, slice by slice. */
export async function findAll<Row>(
  read: (after: string | null) => Promise<Slice<Row> | null | undefined>,
  report: (read: number) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after: string | null = null; ; ) {
    const slice: Slice<Row> | null | undefined = await read(after);
    rows.push(...(slice?.nodes ?? []));
    report(rows.length);
    after = slice?.pageInfo.hasNextPage ? slice.pageInfo.endCursor : null;
    if (after === null) return rows;
  }
}
