import { defineEntity, p } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import { campaignBatches } from '#attempts/batch-store.ts';
import type { Batch } from '#attempts/batch.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { at, jsonColumn, stampColumns } from '#platform/postgres/entity-columns.ts';
import { allOf, isFound } from '#platform/postgres/filters.ts';
import { listOf, ofCampaign, type Page, type PageRequest, readPage, requireRow, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, ids, instant } from '#platform/postgres/values.ts';
import { releaseHolds } from '#policies/holds.ts';
import { requireReferences } from './campaign-input.ts';
import { type BusinessConfig, campaign, type Campaign, type CampaignFields } from './campaign.ts';
import type { CampaignStatus } from './decisions/campaign-states.ts';
import type { Platform } from '#platform/platform.ts';

/** Columns of a campaign, named as in the record `Campaign`; the table's alias is `c`. */
export const CAMPAIGN_COLUMNS = sql<Campaign>`
  ${columnsOf(campaign.omit({ lineIds: true }), 'c')},
  array(select cl.line_id from campaign_line cl join line l on l.id = cl.line_id and l.deleted_at is null
        where cl.campaign_id = c.id order by cl.position) as line_ids`;

export const CAMPAIGN_TABLE = {
  columns: CAMPAIGN_COLUMNS,
  from: sql`campaign c`,
  id: sql`c.id`,
  exists: sql`c.deleted_at is null`,
} satisfies Table<unknown>;

/** Reasons for which the campaign's own settings hold a contact; the next claim decides them anew. */
const HELD_BY_SETTINGS = ['attempts_exhausted', 'retry_wait', 'outside_window', 'blocked_date'];

/** Errors: INVALID_ARGUMENT for an invalid reference */
export async function insertCampaign(tx: Sql, fields: CampaignFields): Promise<number> {
  await checkReferences(tx, fields, ['businessCode', 'lineIds']);
  const { lineIds, ...columns } = fields;
  const entity = tx.em.create(CampaignEntity, columns);
  await tx.em.flush();
  await bindLines(tx, entity.id, lineIds);
  return entity.id;
}

/** Writes the edited fields of a campaign whose row is locked. Errors: INVALID_ARGUMENT for an invalid reference */
export async function writeFields(
  tx: Sql,
  campaignId: number,
  { fields, given }: { fields: CampaignFields; given: readonly string[] },
): Promise<void> {
  await checkReferences(tx, fields, given);
  const { lineIds, ...columns } = fields;
  Object.assign(await tx.em.findOneOrFail(CampaignEntity, { id: campaignId }), columns);
  await tx.em.flush();
  if (given.includes('lineIds')) await bindLines(tx, campaignId, lineIds);
  await releaseHolds(tx, { campaignId, reasons: HELD_BY_SETTINGS });
}

/**
 * Locks the references with `for share`: neither a line nor the business is changed or deleted before this transaction ends.
 *
 * Errors: INVALID_ARGUMENT for an invalid reference in a member of `given`
 */
export async function checkReferences(tx: Sql, fields: CampaignFields, given: readonly string[]): Promise<void> {
  const business = await tx.first(sql<{ isEnabled: boolean }>`
    select is_enabled from business where business_code = ${fields.businessCode} for share`);
  const lines = await tx.rows(sql<{ id: number; isEnabled: boolean }>`
    select id, is_enabled from line where id = any(${ids(fields.lineIds)}) and deleted_at is null order by id for share`);
  requireReferences({ business: business ?? null, lines }, fields, given);
}

async function bindLines({ em }: Sql, campaignId: number, lineIds: readonly number[]): Promise<void> {
  await em.nativeDelete(CampaignLineEntity, { campaignId, lineId: { $nin: [...lineIds] } });
  await em.upsertMany(
    CampaignLineEntity,
    lineIds.map((lineId, position) => ({ campaignId, lineId, position })),
  );
}

const schema = defineEntity({
  name: 'CampaignEntity',
  tableName: 'campaign',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    businessCode: p.text(),
    cellId: p.text().nullable(),
    maxConcurrency: p.integer().default(1),
    maxRetries: p.integer().default(0),
    retryIntervalSeconds: p.integer().default(300),
    callIntervalMs: p.integer().default(0),
    retryAnsweredWithoutResult: p.boolean().default(false),
    retryUnknown: p.boolean().default(false),
    callbackMissed: p.text().$type<Campaign['callbackMissed']>().default('again'),
    callbackAgainMinutes: p.integer().default(15),
    callbackMaxMisses: p.integer().default(3),
    anybodyAfterMinutes: p.integer().default(10),
    recordingDays: p.integer().nullable(),
    workdayStart: p.text().nullable(),
    workdayEnd: p.text().nullable(),
    timeZone: p.text().nullable(),
    scheduledStartAt: at().nullable(),
    scheduledEndAt: at().nullable(),
    businessConfig: jsonColumn<BusinessConfig>(),
    description: p.text().default(''),
    status: p.text().$type<Campaign['status']>().default('draft'),
    phase: p.text().$type<Campaign['phase']>().default('IDLE'),
    phaseReason: p.text().nullable(),
    nextWakeAt: at().nullable(),
    deletedAt: at().nullable(),
    ...stampColumns(),
  },
});

export class CampaignEntity extends schema.class {}

schema.setClass(CampaignEntity);

const lineSchema = defineEntity({
  name: 'CampaignLineEntity',
  tableName: 'campaign_line',
  properties: { campaignId: p.integer().primary(), lineId: p.integer().primary(), position: p.integer() },
});

export class CampaignLineEntity extends lineSchema.class {}

lineSchema.setClass(CampaignLineEntity);

/** Whether the campaign's breaker is open or probing. */
export function isBreakerOpen(campaignId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce((select b.breaker ->> 'kind' from campaign b where b.id = ${campaignId}), 'closed') <> 'closed'`;
}

/** Key for `pg_try_advisory_xact_lock`: only one sweep runs at a time. */
const FOLD_LOCK = 7_225_539;

/** Exact counts of a campaign's waiting contacts, without a scan. */
interface TallyCounts {
  /** `pending`, not on hold. */
  pending: number;
  /** `pending` or retryable, on hold for a reason with a known end. */
  held: number;
  /** `failed` with a retry time, not on hold. */
  retryable: number;
}

/** Sum of the tally rows that match `condition`, for the campaign whose id the expression `campaignId` yields. */
export function tallySum(campaignId: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(delta), 0) from contact_tally where campaign_id = ${campaignId} and ${condition})`;
}

export const WAITING = {
  pending: sql`status = 'pending' and not held`,
  held: sql`held and hold_ends and (status = 'pending' or (status = 'failed' and retryable))`,
  retryable: sql`status = 'failed' and retryable and not held`,
} as const satisfies Record<keyof TallyCounts, RawBuilder<unknown>>;

/** Contact moves kept for updating remembered counts; recounting is no slower than applying more moves than this. */
const KEPT_MOVES = 5_000;
/** Number of moves at which the oldest are deleted. */
const MANY_MOVES = 10_000;

/**
 * Folds appended deltas into one row per group and appended search changes into one row per campaign, and deletes the oldest moves. Does
 * nothing while another sweep runs.
 *
 * Why: readers sum all rows, so folding changes only the number of rows, not the totals
 */
export async function foldTallies(tx: Sql): Promise<void> {
  const lock = await tx.first(sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as mine`);
  if (!lock?.mine) return;
  await tx.run(sql`
    with crowded as (
      select campaign_id from contact_tally group by campaign_id
      having count(*) > count(distinct (status, held, hold_ends, retryable))),
    gone as (
      delete from contact_tally where campaign_id in (select campaign_id from crowded)
      returning campaign_id, status, held, hold_ends, retryable, delta)
    insert into contact_tally (campaign_id, status, held, hold_ends, retryable, delta)
    select campaign_id, status, held, hold_ends, retryable, sum(delta) from gone
    group by campaign_id, status, held, hold_ends, retryable having sum(delta) <> 0`);
  await tx.run(sql`
    with crowded as (select campaign_id from contact_search_change group by campaign_id having count(*) > 1),
    gone as (
      delete from contact_search_change where campaign_id in (select campaign_id from crowded) returning campaign_id, changes)
    insert into contact_search_change select campaign_id, sum(changes) from gone group by campaign_id`);
  await tx.run(sql`
    with floor as (
      update contact_search_floor set xid = (gone.xid::text::bigint + 1)::text::xid8
      from (select xid from contact_search_move order by xid desc offset ${KEPT_MOVES} limit 1) as gone
      where (select count(*) from contact_search_move) > ${MANY_MOVES} returning gone.xid)
    delete from contact_search_move m using floor where m.xid <= floor.xid`);
}

/** Filters of the list; an undefined filter does not narrow it. */
interface CampaignSearch {
  /** Substring of name, business code or description; '' matches all. */
  q: string;
  status?: CampaignStatus | undefined;
  businessCode?: string | undefined;
  /** Created at or after `from` and before `to`; UTC ms */
  from?: number | undefined;
  to?: number | undefined;
}

/** Source: OCS 4.5 */
export const campaignList = listOf(
  CAMPAIGN_TABLE,
  ({ q, status, businessCode, from, to }: CampaignSearch) =>
    allOf(
      isFound(q, [sql`c.name`, sql`c.business_code`, sql`c.description`]),
      status !== undefined && sql`c.status = ${status}`,
      businessCode !== undefined && sql`c.business_code = ${businessCode}`,
      from !== undefined && sql`c.created_at >= ${instant(from)}`,
      to !== undefined && sql`c.created_at < ${instant(to)}`,
    ),
  { name: sql`c.name`, updatedAt: sql`c.updated_at` },
);

/**
 * Errors: NOT_FOUND when the campaign does not exist
 * Source: OCS 4.8
 */
export async function listBatches(app: Pick<Platform, 'db'>, campaignId: number, page: PageRequest): Promise<Page<Batch>> {
  await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  return readPage(app, ofCampaign(campaignBatches, campaignId), page);
}
