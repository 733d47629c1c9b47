import { conflict } from '#kernel/errors.ts';
import { type Changes, overlay } from '#kernel/json.ts';
import type { Campaign, CampaignClaims, CampaignFields } from './campaign.ts';
import { type CampaignSnapshot, phaseOf, statusOf } from '#actors/campaign/context.ts';
import type { CampaignEdit } from '#actors/campaign/events.ts';
import type { CampaignStatus } from './decisions/campaign-bounds.ts';
import { auditChange, type AuditDeps, type AuditEntry, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { giveBackSlots, type GiveBackDeps } from '#slots/slot-registry.ts';
import { type ListDeps, requireRow } from '#platform/postgres/listing.ts';
import { type OrderDeps, orderCampaign } from './campaign-actor.ts';
import { validCampaign } from './campaign-input.ts';
import { settingsVersion } from './settings-version.ts';
import { CAMPAIGN_TABLE } from './campaign-columns.ts';

export interface UpdateCampaignDeps extends AuditDeps, GiveBackDeps, OrderDeps, ListDeps {
  dials: Pick<CampaignClaims, 'loadPlan' | 'cancelClaims'>;
  /** Ids of `config.cells`. */
  cellIds: ReadonlySet<string>;
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

/**
 * Edits a campaign and moves its status in one commit. A refused edit or move leaves the campaign as it was.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT; CAMPAIGN_ARCHIVED; NOTHING_TO_CALL; CONFLICT for an impossible move, or CHANGED_MEANWHILE
 * Source: OCS §3 "Campaign status", 4.5, D5.2–4
 */
export async function updateCampaign(
  deps: UpdateCampaignDeps,
  caller: Caller,
  campaignId: number,
  { status, madeFrom, ...changes }: CampaignChanges,
): Promise<Campaign> {
  const edit = (current: CampaignFields) => {
    requireUnchanged(current, madeFrom);
    return editOf(current, changes, deps.cellIds);
  };
  const update = { campaignId, ...(await orderCampaign(deps, campaignId, { by: caller.name, to: status, edit })) };
  await withdrawClaims(deps, update);
  await auditEdit(deps, caller, update, status);
  deps.wake.campaign(campaignId);
  return requireRow(deps, CAMPAIGN_TABLE, campaignId, '活动');
}

function requireUnchanged(current: CampaignFields, madeFrom: string | undefined): void {
  if (madeFrom === undefined || madeFrom === settingsVersion(current)) return;
  throw conflict('CHANGED_MEANWHILE', '活动设置已被他人修改，请核对后重试');
}

/** Returns the names of the settings that the request sets. */
export function givenOf(changes: Changes<CampaignFields>): (keyof CampaignFields)[] {
  return (Object.keys(changes) as (keyof CampaignFields)[]).filter(name => changes[name] !== undefined);
}

function editOf(current: CampaignFields, changes: Changes<CampaignFields>, cellIds: ReadonlySet<string>): CampaignEdit | null {
  const given = givenOf(changes);
  return given.length === 0 ? null : { fields: validCampaign(overlay(current, changes), cellIds), given };
}

/** A move has its own action name and includes other changes of the same edit. Starting a blocked campaign again lifts the block. */
async function auditEdit(
  deps: UpdateCampaignDeps,
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
  await auditChange(deps, caller, { action, targetType: 'campaign', targetId: campaignId, summary }, change);
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
const DIALLED_BY = ['cellId', 'lineIds', 'workdayStart', 'workdayEnd', 'scheduledStartAt', 'scheduledEndAt'] as const;

/** Withdraws claims that wait for their turn, because they were decided by the old settings. */
async function withdrawClaims(deps: UpdateCampaignDeps, { campaignId, before, after }: Update): Promise<void> {
  const [old, fields] = [before.context.fields, after.context.fields];
  if (DIALLED_BY.every(name => JSON.stringify(old[name]) === JSON.stringify(fields[name]))) return;
  const withdrawn = await deps.dials.cancelClaims(campaignId, '活动在拨出前已修改');
  await giveBackSlots(deps, campaignId, { withdrawn });
}
