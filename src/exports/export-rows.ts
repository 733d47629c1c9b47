import { invalidArgument } from '#kernel/errors.ts';
import type { Slice, SliceRequest } from '#platform/postgres/listing.ts';

/** Most rows of one file; larger exports take several files. */
export const MAX_EXPORT_ROWS = 100_000;
/** Rows per query; they stay in memory while the reader consumes them. */
const SLICE_ROWS = 1_000;

/** Rows of an export, in batches. */
export type ExportRows<Row> = AsyncGenerator<readonly Row[]>;

/** Errors: INVALID_ARGUMENT when there are more rows than one file holds */
export function requireExportable(rows: number): void {
  if (rows > MAX_EXPORT_ROWS) throw invalidArgument('filter', `共 ${rows} 行，一次最多导出 ${MAX_EXPORT_ROWS} 行，请缩小范围后分次导出`);
}

/** Reads a list from its first row to its end or to the bound, so that rows added meanwhile cannot prolong it without limit. */
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
