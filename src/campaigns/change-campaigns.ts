import { sql } from 'kysely';
import { type CampaignSnapshot, phaseOf, statusOf } from '#actors/campaign/context.ts';
import type { CampaignEdit } from '#actors/campaign/events.ts';
import { audit, auditChange, type AuditPart, type AuditEntry, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, conflict } from '#kernel/errors.ts';
import { filledWith } from '#kernel/fields.ts';
import { type Changes, overlay } from '#kernel/json.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { giveBackSlots, type SlotsPart } from '#slots/slot-registry.ts';
import { orderCampaign, type CampaignsPart } from './campaign-actor.ts';
import { settingsVersion, validCampaign } from './campaign-input.ts';
import { CAMPAIGN_TABLE, checkReferences, insertCampaign } from './campaign-store.ts';
import { type Campaign, CAMPAIGN_FIELD_DEFAULTS, type CampaignFields, type ClaimsPart } from './campaign.ts';
import type { CampaignStatus } from './decisions/campaign-states.ts';
import type { Platform } from '#platform/platform.ts';
import type { CellsPart } from '#platform/freeswitch/switch.ts';
import { keysOf } from '#kernel/typed.ts';

type Required = 'name' | 'businessCode' | 'lineIds';
/** Absent members take their default. */
export type NewCampaign = Pick<CampaignFields, Required> & {
  [K in Exclude<keyof CampaignFields, Required>]?: CampaignFields[K] | undefined;
};

type NewCampaignApp = CellsPart & AuditPart & Pick<Platform, 'db'>;

/**
 * Errors: INVALID_ARGUMENT naming the field
 * Source: OCS 2.6, 4.5, D5.1, D5.3, D5.4
 */
export async function createCampaign(app: NewCampaignApp, caller: Caller, input: NewCampaign): Promise<Campaign> {
  const fields = validCampaign(filledWith(CAMPAIGN_FIELD_DEFAULTS)(input), app.cellIds);
  const campaign = await app.db.transaction(async tx => requireRow({ db: tx }, CAMPAIGN_TABLE, await insertCampaign(tx, fields), '活动'));
  await audit(app, caller, {
    action: 'campaign.created',
    targetType: 'campaign',
    targetId: campaign.id,
    summary: `新建活动「${campaign.name}」`,
    detail: { businessCode: campaign.businessCode, lineIds: campaign.lineIds, maxConcurrency: campaign.maxConcurrency },
  });
  return campaign;
}

/** Any subset of the settings; `businessConfig` replaces the whole group. */
export type CampaignChanges = Changes<CampaignFields> & {
  status?: CampaignStatus | undefined;
  /** `settingsVersion` from which the changes were made; when absent, they apply to whatever the settings are. */
  madeFrom?: string | undefined;
};

interface Update {
  campaignId: number;
  before: CampaignSnapshot;
  after: CampaignSnapshot;
}

export type CampaignsApp = CampaignsPart & ClaimsPart & SlotsPart & CellsPart & AuditPart & Pick<Platform, 'db' | 'wake' | 'ids'>;

/**
 * Edits a campaign and moves its status in one commit. A refused edit or move leaves the campaign as it was.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT; CAMPAIGN_ARCHIVED; NOTHING_TO_CALL; CONFLICT for an impossible move, or CHANGED_MEANWHILE
 * Source: OCS §3 "Campaign status", 4.5, D5.2–4
 */
export async function updateCampaign(
  app: CampaignsApp,
  caller: Caller,
  campaignId: number,
  { status, madeFrom, ...changes }: CampaignChanges,
): Promise<Campaign> {
  const edit = (current: CampaignFields) => {
    requireUnchanged(current, madeFrom);
    return editOf(current, changes, app.cellIds);
  };
  const update = { campaignId, ...(await orderCampaign(app, campaignId, { by: caller.name, to: status, edit })) };
  await withdrawClaims(app, update);
  await auditEdit(app, caller, update, status);
  app.wake.campaign(campaignId);
  return requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
}

function requireUnchanged(current: CampaignFields, madeFrom: string | undefined): void {
  if (madeFrom === undefined || madeFrom === settingsVersion(current)) return;
  throw conflict('CHANGED_MEANWHILE', '活动设置已被他人修改，请核对后重试');
}

/** Returns the names of the settings that the request sets. */
function givenOf(changes: Changes<CampaignFields>): (keyof CampaignFields)[] {
  return keysOf(changes).filter(name => changes[name] !== undefined);
}

function editOf(current: CampaignFields, changes: Changes<CampaignFields>, cellIds: ReadonlySet<string>): CampaignEdit | null {
  const given = givenOf(changes);
  return given.length === 0 ? null : { fields: validCampaign(overlay(current, changes), cellIds), given };
}

/** A move has its own action name and includes other changes of the same edit. Starting a blocked campaign again lifts the block. */
async function auditEdit(
  app: CampaignsApp,
  caller: Caller,
  { campaignId, before, after }: Update,
  status: CampaignStatus = statusOf(before.value),
): Promise<void> {
  const restart = status === 'running' && phaseOf(before.value) === 'BLOCKED_BY_POLICY' ? { phaseReason: null } : {};
  const change = changeOf(
    { ...before.context.fields, status: statusOf(before.value), phaseReason: before.context.reason },
    { ...after.context.fields, status, ...restart },
  );
  const { action, verb } = change !== null && ('status' in change.after || 'phaseReason' in change.after) ? MOVES[status] : EDITED;
  const summary = `${verb}活动「${after.context.fields.name}」`;
  await auditChange(app, caller, { action, targetType: 'campaign', targetId: campaignId, summary }, change);
}

interface Naming {
  action: AuditEntry['action'];
  verb: string;
}

const EDITED: Naming = { action: 'campaign.updated', verb: '修改' };
const MOVES: Readonly<Record<CampaignStatus, Naming>> = {
  running: { action: 'campaign.started', verb: '启动' },
  paused: { action: 'campaign.paused', verb: '暂停' },
  archived: { action: 'campaign.archived', verb: '归档' },
  // No user moves a campaign to these.
  draft: EDITED,
  completed: EDITED,
};

/** Settings that determine when a campaign dials, and over what. */
const DIALLED_BY = ['cellId', 'lineIds', 'workdayStart', 'workdayEnd', 'timeZone', 'scheduledStartAt', 'scheduledEndAt'] as const;

/** Withdraws claims that wait for their turn, because they were decided by the old settings. */
async function withdrawClaims(app: CampaignsApp, { campaignId, before, after }: Update): Promise<void> {
  const [old, fields] = [before.context.fields, after.context.fields];
  if (DIALLED_BY.every(name => JSON.stringify(old[name]) === JSON.stringify(fields[name]))) return;
  const withdrawn = await app.dials.cancelClaims(campaignId, '活动在拨出前已修改');
  await giveBackSlots(app, campaignId, { withdrawn });
}

/** Runs the checks of `createCampaign` without writing. Errors: those of `createCampaign` */
export async function checkNewCampaign({ db, cellIds }: CellsPart & Pick<Platform, 'db'>, input: NewCampaign): Promise<void> {
  const fields = validCampaign(filledWith(CAMPAIGN_FIELD_DEFAULTS)(input), cellIds);
  await db.transaction(tx => checkReferences(tx, fields, ['businessCode', 'lineIds']));
}

/** Runs the checks of `updateCampaign` on these settings without writing. Errors: those of `updateCampaign` */
export async function checkCampaignChanges(
  { db, cellIds }: CellsPart & Pick<Platform, 'db'>,
  campaignId: number,
  changes: CampaignChanges,
): Promise<void> {
  const current = await requireRow({ db }, CAMPAIGN_TABLE, campaignId, '活动');
  const fields = validCampaign(overlay(current, changes), cellIds);
  await db.transaction(tx => checkReferences(tx, fields, givenOf(changes)));
}

const REMAINS = { contacts: '联系人', batches: '调度批次', attempts: '通话记录' } as const;

/**
 * Errors: NOT_FOUND; CAMPAIGN_RUNNING; CONFLICT when the campaign is not empty
 * Source: OCS 4.5
 */
export async function deleteCampaign(app: AuditPart & { db: Database }, caller: Caller, campaignId: number): Promise<Campaign> {
  const campaign = await app.db.transaction(tx => removeCampaign(tx, campaignId));
  await audit(app, caller, {
    action: 'campaign.deleted',
    targetType: 'campaign',
    targetId: campaignId,
    summary: `删除活动「${campaign.name}」`,
    detail: { businessCode: campaign.businessCode },
  });
  return campaign;
}

/** `remains` names data that the campaign still has. Errors: CAMPAIGN_RUNNING; CONFLICT */
export function requireRemovable({ status }: Pick<Campaign, 'status'>, remains: keyof typeof REMAINS | undefined): void {
  if (status === 'running') throw new CalloutError('CAMPAIGN_RUNNING', '活动正在运行，不能删除');
  if (remains !== undefined) throw conflict('CAMPAIGN_IN_USE', `活动还有${REMAINS[remains]}，不能删除`);
}

/** `for update` waits for transactions that add contacts, batches or attempts, and blocks new ones. */
async function removeCampaign(tx: Sql, campaignId: number): Promise<Campaign> {
  await tx.first(sql`select id from campaign where id = ${campaignId} for update`);
  const campaign = await requireRow({ db: tx }, CAMPAIGN_TABLE, campaignId, '活动');
  const held = await tx.first(sql<Record<keyof typeof REMAINS, boolean>>`
    select exists (select 1 from contact where campaign_id = ${campaignId} and deleted_at is null) as contacts,
      exists (select 1 from batch where campaign_id = ${campaignId}) as batches,
      exists (select 1 from attempt where campaign_id = ${campaignId} and deleted_at is null) as attempts`);
  const by = (['contacts', 'batches', 'attempts'] as const).find(kind => held?.[kind]);
  requireRemovable(campaign, by);
  await tx.run(sql`update campaign set deleted_at = now() where id = ${campaignId}`);
  return campaign;
}
