import { CalloutError, conflict, isCalloutError, notFound } from '#kernel/errors.ts';
import { type Changes, overlay } from '#kernel/overlay.ts';
import type { CampaignActor } from '#ports/campaign-actor.ts';
import type { CampaignFields, CampaignStore, CampaignUpdate } from '#ports/campaign-store.ts';
import type { DialStore } from '#ports/dial-store.ts';
import type { Campaign, CampaignStatus } from '#ports/records.ts';
import { type CampaignWork, decideCampaignMove } from '#rules/campaign-status.ts';
import { type AuditDeps, type AuditEntry, auditChange } from '../access/audit.ts';
import { changeOf } from '../access/audited-change.ts';
import type { Caller } from '../access/caller.ts';
import { giveBackSlots, type GiveBackDeps } from '../contacts/give-back-slots.ts';
import { referencesChecked, validCampaign } from './campaign-input.ts';
import { campaignWork } from './campaign-work.ts';

export interface UpdateCampaignDeps extends AuditDeps, GiveBackDeps {
  campaigns: Pick<CampaignStore, 'find' | 'update'>;
  dials: Pick<DialStore, 'loadPlan' | 'cancelClaims'>;
  campaignActor: CampaignActor;
  /** Ids of `config.cells`. */
  cellIds: ReadonlySet<string>;
}

/** Any subset; `businessConfig` replaces the whole group. */
export type CampaignChanges = Changes<CampaignFields> & { status?: CampaignStatus | undefined };

/**
 * Edits a campaign and moves its status. A refused edit or move leaves the campaign as it was.
 *
 * Why:    the move is judged before the fields are written; the actor judges it once more, and when a race made it refuse, the fields go back
 * Errors: NOT_FOUND; INVALID_ARGUMENT; CAMPAIGN_ARCHIVED; NOTHING_TO_CALL; CONFLICT for a move that does not exist
 * Source: OCS §3 "Campaign status", 4.5, D5.2–4
 */
export async function updateCampaign(
  deps: UpdateCampaignDeps,
  caller: Caller,
  campaignId: number,
  { status, ...changes }: CampaignChanges,
): Promise<Campaign> {
  const update = await writeFields(deps, campaignId, { status, changes });
  await withdrawClaims(deps, update);
  const moved = await moveOrRestore(deps, caller, { status, changes, update });
  await auditEdit(deps, caller, update, status);
  deps.wake.campaign(campaignId);
  return moved;
}

/** A move has a name of its own, and tells what else the same edit changed. To start a blocked campaign again lifts the block. */
async function auditEdit(
  deps: UpdateCampaignDeps,
  caller: Caller,
  { before, after }: CampaignUpdate,
  status: CampaignStatus = before.status,
): Promise<void> {
  const restart = status === 'running' && before.phase === 'BLOCKED_BY_POLICY' ? { phaseReason: null } : {};
  const change = changeOf(
    { ...fieldsOf(before), status: before.status, phaseReason: before.phaseReason },
    { ...fieldsOf(after), status, ...restart },
  );
  const { action, verb } = change !== null && ('status' in change.after || 'phaseReason' in change.after) ? MOVES[status] : EDITED;
  const entry = { action, targetType: 'campaign', targetId: after.id, summary: `${verb}活动「${after.name}」` } as const;
  await auditChange(deps, caller, entry, change);
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
  // No person moves a campaign there.
  draft: EDITED,
  completed: EDITED,
};

/** When and by what way a campaign dials. */
const DIALLED_BY = ['cellId', 'lineIds', 'workdayStart', 'workdayEnd', 'scheduledStartAt', 'scheduledEndAt'] as const;

/** Claims that wait for their turn were decided by what the campaign was. */
async function withdrawClaims(deps: UpdateCampaignDeps, { before, after }: CampaignUpdate): Promise<void> {
  if (DIALLED_BY.every(name => sameValue(before[name], after[name]))) return;
  const withdrawn = await deps.dials.cancelClaims(after.id, '活动在拨出前已修改');
  await giveBackSlots(deps, after.id, { withdrawn });
}

interface Edit {
  status: CampaignStatus | undefined;
  changes: Changes<CampaignFields>;
}

async function writeFields(deps: UpdateCampaignDeps, campaignId: number, { status, changes }: Edit): Promise<CampaignUpdate> {
  const work = await readWork(deps, campaignId, status);
  const update = await deps.campaigns.update(campaignId, {
    change(current) {
      requireOpen(current);
      if (status !== undefined && work !== null) requireMove(current.status, status, work);
      return givenNames(changes).length === 0 ? null : validCampaign(overlay(fieldsOf(current), changes), deps.cellIds);
    },
    check: referencesChecked({ businessCode: changes.businessCode !== undefined, lineIds: changes.lineIds !== undefined }),
  });
  if (update === null) throw notFound('活动');
  return update;
}

async function readWork(deps: UpdateCampaignDeps, campaignId: number, status: CampaignStatus | undefined): Promise<CampaignWork | null> {
  if (status === undefined) return null;
  const plan = await deps.dials.loadPlan(campaignId);
  if (plan === null) throw notFound('活动');
  return campaignWork(plan.counts);
}

/** Archived is read-only (D5.2). */
function requireOpen({ status }: Campaign): void {
  if (status === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能再修改');
}

/** A page that sends the status it has read asks for no move. */
function requireMove(from: CampaignStatus, to: CampaignStatus, work: CampaignWork): void {
  if (isUnmoved(from, to)) return;
  const decision = decideCampaignMove(from, to, work);
  if (!decision.ok) throw new CalloutError(decision.code, decision.message);
}

function isUnmoved(from: CampaignStatus, to: CampaignStatus): boolean {
  return from === to && to !== 'running';
}

async function moveOrRestore(deps: UpdateCampaignDeps, caller: Caller, edit: Edit & { update: CampaignUpdate }): Promise<Campaign> {
  const { status, update } = edit;
  if (status === undefined || isUnmoved(update.before.status, status)) return update.after;
  try {
    return await move(deps.campaignActor, update.after.id, status, caller);
  } catch (error) {
    // Only a refusal is certain not to have moved it; after a lost answer the fields belong to what may have happened.
    if (isCalloutError(error) && !error.retryable) await restoreFields(deps, edit);
    throw error;
  }
}

async function move(actor: CampaignActor, campaignId: number, status: CampaignStatus, caller: Caller): Promise<Campaign> {
  if (status === 'running') return actor.start(campaignId, caller);
  if (status === 'paused') return actor.pause(campaignId, caller);
  if (status === 'archived') return actor.archive(campaignId, caller);
  throw conflict(`活动不能改为 ${status}`);
}

/** Takes back what this edit wrote, except members that somebody changed since. */
async function restoreFields(
  deps: UpdateCampaignDeps,
  { changes, update: { before, after } }: Edit & { update: CampaignUpdate },
): Promise<void> {
  const written = givenNames(changes);
  if (written.length === 0) return;
  await deps.campaigns.update(after.id, {
    change(current) {
      const ours = written.filter(name => sameValue(current[name], after[name]));
      return overlay(fieldsOf(current), Object.fromEntries(ours.map(name => [name, before[name]])));
    },
    check: () => undefined,
  });
}

function givenNames(changes: Changes<CampaignFields>): (keyof CampaignFields)[] {
  return (Object.keys(changes) as (keyof CampaignFields)[]).filter(name => changes[name] !== undefined);
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function fieldsOf(campaign: Campaign): CampaignFields {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, status: _status, phase: _phase, ...rest } = campaign;
  const { phaseReason: _phaseReason, nextWakeAt: _nextWakeAt, ...fields } = rest;
  return fields;
}
