import type { Campaign, CampaignFields } from '#model/campaign.ts';
import { type Breaker, CLOSED_BREAKER } from '#rules/breaker.ts';
import type { CampaignPhase, CampaignStatus } from '#rules/campaign-bounds.ts';
import type { SlotSkipReason } from '#rules/skip-reason.ts';

/** What a commit writes besides the phase. */
export type Written = keyof CampaignFields | 'status';

/** JSON; the campaign's row holds all of it. */
export interface CampaignContext {
  fields: CampaignFields;
  /** Why the campaign is in its phase, Chinese; null while it does not run. */
  reason: string | null;
  /** What each contact that could be dialled waits for; null while its phase waits for nothing of this kind. */
  refusal: SlotSkipReason | null;
  /** UTC ms at which the dispatcher looks at it without being asked; null: at once, or never while it does not run. */
  wakeAt: number | null;
  /** What its last dials say of the way to people: the breaker's state and what it counts. */
  breaker: Breaker;
  /** Empty in a campaign as it is read. */
  written: readonly Written[];
}

/** The state of the machine: a running campaign is in one of its phases, and its breaker outlasts every status. */
export interface CampaignValue {
  status: Exclude<CampaignStatus, 'running'> | { running: CampaignPhase };
  breaker: Breaker['kind'];
}

export interface CampaignSnapshot {
  value: CampaignValue;
  context: CampaignContext;
}

/** What a campaign's row holds of its actor besides the record. */
export interface ActorColumns {
  phaseRefusal: SlotSkipReason | null;
  /** Null: it has counted nothing yet. */
  breaker: Breaker | null;
}

/** A campaign's row as the actor's state. */
export function snapshotOf({ status, phase, phaseReason, nextWakeAt, ...row }: Campaign, stored: ActorColumns): CampaignSnapshot {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = row;
  const breaker = stored.breaker ?? CLOSED_BREAKER;
  return {
    value: { status: status === 'running' ? { running: phase } : status, breaker: breaker.kind },
    context: { fields, reason: phaseReason, refusal: stored.phaseRefusal, wakeAt: nextWakeAt, breaker, written: [] },
  };
}

/** Whether nothing but what the breaker counts differs. */
export function isSameCampaign(one: CampaignSnapshot, other: CampaignSnapshot): boolean {
  const shown = ({ value, context: { fields, reason, wakeAt } }: CampaignSnapshot) => JSON.stringify({ value, fields, reason, wakeAt });
  return shown(one) === shown(other);
}

export function statusOf({ status }: CampaignValue): CampaignStatus {
  return typeof status === 'string' ? status : 'running';
}

export function phaseOf({ status }: CampaignValue): CampaignPhase {
  return typeof status === 'string' ? 'IDLE' : status.running;
}
