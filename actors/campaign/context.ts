import type { Campaign, CampaignFields } from '#campaigns/campaign.ts';
import { type Breaker, CLOSED_BREAKER } from '#campaigns/decisions/breaker.ts';
import type { CampaignPhase, CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import type { PhaseCause, SlotSkipReason } from '#campaigns/decisions/skip-reason.ts';

/** Columns that a commit writes besides the phase. */
export type Written = keyof CampaignFields | 'status';

/** JSON; stored in full in the campaign's row. */
export interface CampaignContext {
  fields: CampaignFields;
  /** Reason for the current phase, in Chinese; null while the campaign is not running. */
  reason: string | null;
  /** Cause of the phase; null when the phase alone is specific enough. */
  cause: PhaseCause | null;
  /** Refusal that all dialable contacts are waiting for; null when the phase has none. */
  refusal: SlotSkipReason | null;
  /** UTC ms of the next scheduled turn; null: at once, or never while not running. */
  wakeAt: number | null;
  /** State of the breaker, with its counts. */
  breaker: Breaker;
  /** Columns changed by the current event; empty after loading. */
  written: readonly Written[];
}

/** The machine's value: a running campaign is in one of its phases; the breaker is independent of the status. */
export interface CampaignValue {
  status: Exclude<CampaignStatus, 'running'> | { running: CampaignPhase };
  breaker: Breaker['kind'];
}

export interface CampaignSnapshot {
  value: CampaignValue;
  context: CampaignContext;
}

/** Actor columns of the campaign's row that are not part of the record. */
export interface ActorColumns {
  phaseCause: PhaseCause | null;
  phaseRefusal: SlotSkipReason | null;
  /** Null when it has not counted anything yet. */
  breaker: Breaker | null;
}

/** The actor's state as read from the campaign's row. */
export function snapshotOf({ status, phase, phaseReason, nextWakeAt, ...row }: Campaign, stored: ActorColumns): CampaignSnapshot {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = row;
  const breaker = stored.breaker ?? CLOSED_BREAKER;
  return {
    value: { status: status === 'running' ? { running: phase } : status, breaker: breaker.kind },
    context: {
      fields,
      reason: phaseReason,
      cause: stored.phaseCause,
      refusal: stored.phaseRefusal,
      wakeAt: nextWakeAt,
      breaker,
      written: [],
    },
  };
}

/** Whether two snapshots differ at most in the breaker's counts. */
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
