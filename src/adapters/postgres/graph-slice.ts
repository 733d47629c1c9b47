import { type RawBuilder, sql } from 'kysely';
import type { Slice, SliceRequest } from '#ports/graph-store.ts';

/** One row more than asked for tells whether there are more. */
export async function cut<Row>({ limit }: SliceRequest, read: (limit: number) => Promise<Row[]>): Promise<Slice<Row>> {
  const rows = await read(limit + 1);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Cursors come from clients: any id is compared, also one that the column could not hold. */
export function before(id: RawBuilder<unknown>, slice: SliceRequest): RawBuilder<unknown> {
  return slice.before === null ? sql`true` : sql`${id} < ${slice.before}::bigint`;
}
