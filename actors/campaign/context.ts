import type { Campaign, CampaignFields } from '#model/campaign.ts';
import type { CampaignPhase, CampaignStatus } from '#rules/campaign-bounds.ts';

/** What a commit writes besides the phase. */
export type Written = keyof CampaignFields | 'status';

/** JSON; the campaign's row holds all of it. */
export interface CampaignContext {
  fields: CampaignFields;
  /** Why the campaign is in its phase, Chinese; null while it does not run. */
  reason: string | null;
  /** UTC ms at which the dispatcher looks at it without being asked; null: at once, or never while it does not run. */
  wakeAt: number | null;
  /** Empty in a campaign as it is read. */
  written: readonly Written[];
}

/** The state of the machine: a running campaign is in one of its phases. */
export type CampaignValue = Exclude<CampaignStatus, 'running'> | { running: CampaignPhase };

export interface CampaignSnapshot {
  value: CampaignValue;
  context: CampaignContext;
}

/** A campaign's row as the actor's state. */
export function snapshotOf({ status, phase, phaseReason, nextWakeAt, ...row }: Campaign): CampaignSnapshot {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = row;
  return {
    value: status === 'running' ? { running: phase } : status,
    context: { fields, reason: phaseReason, wakeAt: nextWakeAt, written: [] },
  };
}

export function statusOf(value: CampaignValue): CampaignStatus {
  return typeof value === 'string' ? value : 'running';
}

export function phaseOf(value: CampaignValue): CampaignPhase {
  return typeof value === 'string' ? 'IDLE' : value.running;
}
