import { invalidArgument } from '#kernel/errors.ts';
import type { Slice, SliceRequest } from '../listing.ts';

/** Rows of one file: whoever needs more takes several. */
export const MAX_EXPORT_ROWS = 100_000;
/** Rows that are read at once, and wait while the reader takes them. */
const SLICE_ROWS = 1_000;

/** Rows on their way into a file, some at a time. */
export type ExportRows<Row> = AsyncGenerator<readonly Row[]>;

/** Errors: INVALID_ARGUMENT when there are more than one file takes */
export function requireExportable(rows: number): void {
  if (rows > MAX_EXPORT_ROWS) throw invalidArgument('filter', `共 ${rows} 行，一次最多导出 ${MAX_EXPORT_ROWS} 行，请缩小范围后分次导出`);
}

/** A list from its beginning to its end, or to the bound: rows that come meanwhile are no reason to go on. */
export async function* walk<Row extends { id: number }>(
  isAscending: boolean,
  read: (request: SliceRequest) => Promise<Slice<Row>>,
): ExportRows<Row> {
  let beyond: number | null = null;
  for (let left = MAX_EXPORT_ROWS; left > 0; left -= SLICE_ROWS) {
    const { rows, hasMore }: Slice<Row> = await read({ limit: Math.min(SLICE_ROWS, left), beyond, isAscending });
    yield rows;
    beyond = rows.at(-1)?.id ?? null;
    if (!hasMore || beyond === null) return;
  }
}
