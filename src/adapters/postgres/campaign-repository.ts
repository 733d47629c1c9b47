import { sql } from 'kysely';
import type {
  CampaignEdit,
  CampaignFields,
  CampaignReferences,
  CampaignRemoval,
  CampaignStore,
  CampaignUpdate,
  CheckReferences,
} from '#ports/campaign-store.ts';
import type { Business, Campaign } from '#ports/records.ts';
import { CAMPAIGN_COLUMNS } from './campaign-columns.ts';
import { releaseHolds } from '#dialling/postgres/contact-holds.ts';
import type { Database, Sql } from './database.ts';
import { CampaignEntity } from './entities/campaign-entity.ts';
import { ids } from './values.ts';

/** What the campaign's own retries can hold a contact back for: the next claim decides anew. */
const HELD_BY_RETRY_LIMITS = ['attempts_exhausted', 'retry_wait'];

export function campaignRepository(db: Database): CampaignStore {
  return {
    find: campaignId => findCampaign(db, campaignId),
    create: (fields, check) => db.transaction(tx => createCampaign(tx, fields, check)),
    update: (campaignId, edit) => db.transaction(tx => updateCampaign(tx, campaignId, edit)),
    remove: campaignId => db.transaction(tx => removeCampaign(tx, campaignId)),
  };
}

async function findCampaign(db: Sql, campaignId: number): Promise<Campaign | null> {
  const row = await db.first(sql<Campaign>`select ${CAMPAIGN_COLUMNS} from campaign c where c.id = ${campaignId} and c.deleted_at is null`);
  return row ?? null;
}

async function createCampaign(tx: Sql, fields: CampaignFields, check: CheckReferences): Promise<Campaign> {
  check(await lockReferences(tx, fields), fields);
  const { lineIds, ...columns } = fields;
  const entity = tx.em.create(CampaignEntity, columns);
  await tx.em.flush();
  await bindLines(tx, entity.id, lineIds);
  return existing(tx, entity.id);
}

async function updateCampaign(tx: Sql, campaignId: number, edit: CampaignEdit): Promise<CampaignUpdate | null> {
  await tx.first(sql`select id from campaign where id = ${campaignId} for no key update`);
  const before = await findCampaign(tx, campaignId);
  if (before === null) return null;
  const fields = edit.change(before);
  if (fields === null) return { before, after: before };
  edit.check(await lockReferences(tx, fields), fields);
  const { lineIds, ...columns } = fields;
  const entity = await tx.em.findOneOrFail(CampaignEntity, { id: campaignId });
  Object.assign(entity, columns);
  await tx.em.flush();
  // Positions may have gaps, of lines that are gone: to close them changes nothing that anybody sees.
  if (lineIds.join() !== before.lineIds.join()) await bindLines(tx, campaignId, lineIds);
  await releaseHolds(tx, { campaignId, reasons: HELD_BY_RETRY_LIMITS });
  return { before, after: await existing(tx, campaignId) };
}

/** `for share`: neither a line nor the business changes or goes before this transaction is over. */
async function lockReferences(tx: Sql, { businessCode, lineIds }: CampaignFields): Promise<CampaignReferences> {
  const business = await tx.first(sql<Business>`
    select id, business_code as "businessCode", business_name as "businessName", is_enabled as "isEnabled", remark,
      created_at as "createdAt", updated_at as "updatedAt"
    from business where business_code = ${businessCode} for share`);
  const lines = await tx.rows(sql<{ id: number; isEnabled: boolean }>`
    select id, is_enabled as "isEnabled" from line where id = any(${ids(lineIds)}) and deleted_at is null order by id for share`);
  return { business: business ?? null, lines };
}

async function bindLines(tx: Sql, campaignId: number, lineIds: readonly number[]): Promise<void> {
  await tx.run(sql`delete from campaign_line where campaign_id = ${campaignId} and line_id <> all(${ids(lineIds)})`);
  await tx.run(sql`
    insert into campaign_line (campaign_id, line_id, position)
    select ${campaignId}::int, line.id, line.position from unnest(${ids(lineIds)}) with ordinality as line (id, position)
    on conflict (campaign_id, line_id) do update set position = excluded.position`);
}

/** `for update` waits for whoever is adding contacts, batches or attempts, and keeps others from adding any. */
async function removeCampaign(tx: Sql, campaignId: number): Promise<CampaignRemoval> {
  await tx.first(sql`select id from campaign where id = ${campaignId} for update`);
  const campaign = await findCampaign(tx, campaignId);
  if (campaign === null) return { kind: 'not_found' };
  if (campaign.status === 'running') return { kind: 'in_use', by: 'running' };
  const held = await tx.first(sql<Record<'contacts' | 'batches' | 'attempts', boolean>>`
    select exists (select 1 from contact where campaign_id = ${campaignId} and deleted_at is null) as contacts,
      exists (select 1 from batch where campaign_id = ${campaignId}) as batches,
      exists (select 1 from attempt where campaign_id = ${campaignId} and deleted_at is null) as attempts`);
  const by = (['contacts', 'batches', 'attempts'] as const).find(kind => held?.[kind]);
  if (by !== undefined) return { kind: 'in_use', by };
  await tx.run(sql`update campaign set deleted_at = now() where id = ${campaignId}`);
  return { kind: 'removed', campaign };
}

async function existing(tx: Sql, campaignId: number): Promise<Campaign> {
  const campaign = await findCampaign(tx, campaignId);
  if (campaign === null) throw new Error(`campaign ${campaignId} vanished inside its transaction`);
  return campaign;
}
