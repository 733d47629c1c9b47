import { sql } from 'kysely';
import { z } from 'zod';
import { audit, type AuditPart } from '#audit/audit.ts';
import { requireNotArchived } from '#campaigns/actions.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import type { NewContact } from '#contacts/contact.ts';
import type { Job } from '#jobs/job.ts';
import { type JobInHand, type JobKind, jobKind, type StepWrite } from '#jobs/job-kind.ts';
import { startJob } from '#jobs/job-store.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { rowId } from '#kernel/fields.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { importCounts, NO_ROWS, sumOf } from './import-counts.ts';
import { getList, isInVersion, noteUse } from './list-store.ts';
import { writeCampaignRows } from './write-campaign-rows.ts';

export const USE_KIND = 'list_use';

/** Rows of one step. */
const STEP_ROWS = 5_000;

type UseApp = AuditPart & Pick<Platform, 'db' | 'wake'>;

/** The campaign that takes the list, and the version it takes; the latest when absent. */
export interface ListUseInput {
  campaignId: number;
  version?: number | null | undefined;
}

/**
 * Starts a job that adds the contacts of a list to a campaign, and updates those whose external id it has.
 *
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; INVALID_ARGUMENT for a do-not-call list, or a version that is not there
 * Source: D6.9
 */
export async function useList(app: UseApp, caller: Caller, listId: number, { campaignId, version: asked }: ListUseInput): Promise<Job> {
  const list = await getList(app, listId);
  if (list.kind !== 'contacts') throw invalidArgument('id', 'noContacts');
  const campaign = await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  requireNotArchived(campaign);
  const version = asked ?? list.version;
  if (version < 1 || version > list.version) throw invalidArgument('version', 'between', { min: 1, max: list.version });
  const title = `名单「${list.name}」加入活动「${campaign.name}」`;
  const job = await app.db.transaction(async tx => {
    await noteUse(tx, { campaignId, listId, version, createdBy: caller.userId });
    return startJob(tx, caller, { kind: USE_KIND, title, input: { listId, version, campaignId }, total: list.rowCount });
  });
  await audit(app, caller, {
    action: 'list.used',
    targetType: 'campaign',
    targetId: campaignId,
    summary: title,
    detail: { listId, version, rows: list.rowCount },
  });
  return job;
}

const useInput = z.object({ listId: rowId, version: z.int(), campaignId: rowId });
const useCursor = z.object({ after: z.int(), counts: importCounts });

type UseJob = JobInHand<z.output<typeof useInput>, z.output<typeof useCursor>>;

/** The contacts of a version in the order of its rows, so that they are dialled in that order. */
export function useListJob(app: UseApp): JobKind {
  return jobKind({ kind: USE_KIND, input: useInput, cursor: useCursor, step: job => takeRows(app, job) });
}

async function takeRows(app: UseApp, { input, cursor, owner }: UseJob): Promise<StepWrite<z.output<typeof useCursor>>> {
  const { campaignId } = input;
  const { after, counts } = cursor ?? { after: 0, counts: NO_ROWS };
  if (counts.totalRows > 0) app.wake.campaign(campaignId);
  const rows = await readRows(app.db, input, after);
  const last = rows.at(-1);
  if (!last) return () => ({ result: { ...input, counts }, done: counts.totalRows });
  const toWrite = rows.map(({ id: _id, ...contact }, index) => ({ rowNumber: counts.totalRows + index + 1, contact }));
  return async tx => {
    const sum = sumOf(counts, await writeCampaignRows(tx, campaignId, { rows: toWrite, createdBy: owner.userId }));
    return { cursor: { after: last.id, counts: sum }, done: sum.totalRows };
  };
}

function readRows(db: Sql, { listId, version }: UseJob['input'], after: number): Promise<(NewContact & { id: number })[]> {
  return db.rows(sql<NewContact & { id: number }>`
    select r.id, r.phone_number, r.dial_key, r.customer_name, r.remark, r.time_zone, r.external_id, r.zones, r.metadata, r.numbers
    from contact_list_row r where r.list_id = ${listId} and r.id > ${after} and ${isInVersion(sql`${version}::int`)}
    order by r.id limit ${STEP_ROWS}`);
}
