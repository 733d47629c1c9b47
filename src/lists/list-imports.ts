import { sql } from 'kysely';
import { z } from 'zod';
import { job, JOB_STATES } from '#jobs/job.ts';
import { bigRowId, instant, rowId } from '#kernel/fields.ts';
import type { Platform } from '#platform/platform.ts';
import { allOf } from '#platform/postgres/filters.ts';
import { listOf, requireRow, type Table } from '#platform/postgres/listing.ts';
import { json } from '#platform/postgres/values.ts';
import { importCounts, NO_ROWS } from './import-counts.ts';
import { IMPORT_KIND } from './import-job.ts';
import { USE_KIND } from './use-list.ts';

/** An import into a list or a campaign: a job with the counts of its rows. */
export const listImport = z
  .object({
    id: bigRowId.meta({ description: '任务编号' }),
    title: z.string(),
    state: z.enum(JOB_STATES),
    percent: z.int().min(0).max(100).nullable().meta({ description: '已完成的百分比；总量未知时为 null' }),
    counts: importCounts,
    fileName: z.string().nullable().meta({ description: '由名单加入活动时为 null' }),
    listId: rowId.nullable(),
    campaignId: rowId.nullable(),
    error: job.shape.error,
    ownerName: z.string(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'ListImport' });

export type ListImport = z.output<typeof listImport>;

const LIST_ID = sql`coalesce(j.input -> 'target' ->> 'listId', j.input ->> 'listId')::int`;
const CAMPAIGN_ID = sql`coalesce(j.input -> 'target' ->> 'campaignId', j.input ->> 'campaignId')::int`;
/** A job that goes on is never shown as complete. */
const PERCENT = sql`case when j.state = 'done' then 100 when j.total > 0 then least(99, j.done * 100 / j.total)::int end`;

const IMPORT_TABLE: Table<ListImport> = {
  columns: sql<ListImport>`j.id, j.title, j.state, ${PERCENT} as percent, j.input ->> 'fileName' as file_name, ${LIST_ID} as list_id,
    ${CAMPAIGN_ID} as campaign_id, coalesce(j.result -> 'counts', j.cursor -> 'counts', ${json(NO_ROWS)}) as counts, j.error, j.owner_name,
    j.started_at, j.finished_at, j.created_at`,
  from: sql`job j`,
  id: sql`j.id`,
  exists: sql`j.kind in (${IMPORT_KIND}, ${USE_KIND})`,
};

interface ImportSearch {
  listId?: number | null | undefined;
  campaignId?: number | null | undefined;
}

/** Imports whose jobs are kept still, newest first. */
export const listImports = listOf(IMPORT_TABLE, ({ listId, campaignId }: ImportSearch) =>
  allOf(typeof listId === 'number' && sql`${LIST_ID} = ${listId}`, typeof campaignId === 'number' && sql`${CAMPAIGN_ID} = ${campaignId}`),
);

/** Errors: NOT_FOUND */
export function getImport(app: Pick<Platform, 'db'>, jobId: number): Promise<ListImport> {
  return requireRow(app, IMPORT_TABLE, jobId, '导入');
}
