import { sql } from 'kysely';
import { z } from 'zod';
import { instant } from '#kernel/fields.ts';
import type { Platform } from '#platform/platform.ts';
import { instant as at } from '#platform/postgres/values.ts';

/** Span of the counts, in ms. */
const SPAN_MS = 24 * 3_600_000;

const count = z.int().nonnegative();

const cellRecordings = z
  .object({
    cellId: z.string().nullable(),
    pending: count,
    complete: count,
    short: count,
    silent: count,
    missing: count,
    unknown: count,
  })
  .meta({ id: 'CellRecordings' });

/** How the recordings of each cell have been in the last 24 hours. Source: D7.20 */
export const recordingHealth = z
  .object({ since: instant, cells: z.array(cellRecordings).meta({ description: '各交换节点的录音数，按检查结果；没有录音的不列' }) })
  .meta({ id: 'RecordingHealth' });

export type RecordingHealth = z.output<typeof recordingHealth>;

/** Errors: DATABASE_UNAVAILABLE */
export async function readRecordingHealth({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<RecordingHealth> {
  const since = clock.now() - SPAN_MS;
  const cells = await db.rows(sql<RecordingHealth['cells'][number]>`
    select cell_id, ${sql.join(STATES.map(countOf))} from recording_check where created_at >= ${at(since)} group by cell_id order by cell_id nulls last`);
  return { since, cells };
}

const STATES = ['pending', 'complete', 'short', 'silent', 'missing', 'unknown'] as const;

const countOf = (state: (typeof STATES)[number]) => sql`count(*) filter (where state = ${sql.lit(state)})::int as ${sql.ref(state)}`;
