import { type RawBuilder, sql } from 'kysely';
import type { Slice, SliceRequest } from '#ports/graph-store.ts';

/** One row more than asked for tells whether there are more. */
export async function cut<Row>({ limit }: SliceRequest, read: (limit: number) => Promise<Row[]>): Promise<Slice<Row>> {
  return sliceOf(await read(limit + 1), limit);
}

/**
 * As `cut` for each of many campaigns.
 *
 * Shape: `read` gives at most `limit` rows of each, those of one campaign in their order; the slices are in the order of the ids
 */
export async function cutEach<Row extends { campaignId: number }>(
  campaignIds: readonly number[],
  { limit }: SliceRequest,
  read: (limit: number) => Promise<Row[]>,
): Promise<Slice<Row>[]> {
  const rows = Map.groupBy(await read(limit + 1), ({ campaignId }) => campaignId);
  return campaignIds.map(campaignId => sliceOf(rows.get(campaignId) ?? [], limit));
}

function sliceOf<Row>(rows: Row[], limit: number): Slice<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Cursors come from clients: any id is compared, also one that the column could not hold. */
export function before(id: RawBuilder<unknown>, slice: SliceRequest): RawBuilder<unknown> {
  return slice.before === null ? sql`true` : sql`${id} < ${slice.before}::bigint`;
}
