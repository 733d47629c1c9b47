import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import type { Campaign, CampaignFields } from './campaign.ts';
import { ids } from '#platform/postgres/values.ts';
import { releaseHolds } from '#policies/holds.ts';
import { requireReferences } from './campaign-input.ts';
import { defineEntity, p } from '@mikro-orm/core';
import type { BusinessConfig } from './business-config.ts';
import { at, jsonColumn, stampColumns } from '#platform/postgres/entity-columns.ts';

/** Reasons for which the campaign's own retry settings hold a contact; the next claim decides them anew. */
const HELD_BY_RETRY_LIMITS = ['attempts_exhausted', 'retry_wait'];

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
  await releaseHolds(tx, { campaignId, reasons: HELD_BY_RETRY_LIMITS });
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
    workdayStart: p.text().nullable(),
    workdayEnd: p.text().nullable(),
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
