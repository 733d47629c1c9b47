interface Slice<Row> {
  nodes: readonly Row[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
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
