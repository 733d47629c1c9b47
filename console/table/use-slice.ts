import { useCallback } from 'react';

interface Slice<Row> {
  nodes: readonly Row[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export interface SliceView<Row> {
  rows: readonly Row[];
  /** Null until they are counted. */
  total: number | null;
  loadMore: (() => void) | undefined;
}

/** Props of a table for a list that grows at its end. */
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
