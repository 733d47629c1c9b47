import { type RawBuilder, sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import { ids } from '#platform/postgres/values.ts';
import type { CampaignPhase, CampaignStatus } from './decisions/campaign-bounds.ts';
import type { SlotSkipReason } from './decisions/skip-reason.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';

/** Progress of a campaign. Shape: `total` is the sum of the five statuses; `held` and `awaitingRetry` are parts of them */
export interface CampaignProgress {
  campaignId: number;
  status: CampaignStatus;
  phase: CampaignPhase;
  phaseReason: string | null;
  phaseRefusal: SlotSkipReason | null;
  /** UTC ms; null when the phase began before its start was recorded. */
  phaseSince: number | null;
  /** UTC ms. */
  nextWakeAt: number | null;
  total: number;
  pending: number;
  submitted: number;
  completed: number;
  failed: number;
  paused: number;
  awaitingRetry: number;
  held: number;
  /** Open attempts. */
  activeCalls: number;
}

/** Reads all campaigns at one instant without scans: contacts from their tally, open attempts from their partial index. */
export function readProgress({ db }: ListDeps, campaignIds: readonly number[]): Promise<CampaignProgress[]> {
  return db.rows(sql<CampaignProgress>`
    select c.id as campaign_id, c.status, c.phase, c.phase_reason, c.phase_refusal, c.phase_since, c.next_wake_at, t.*,
           (select count(*) from attempt a where a.campaign_id = c.id and ${OPEN}) as active_calls
    from campaign c
    cross join lateral (
      select coalesce(sum(delta), 0) as total, ${tally(sql`status = 'pending'`)} as pending, ${tally(sql`status = 'submitted'`)} as submitted,
             ${tally(sql`status = 'completed'`)} as completed, ${tally(sql`status = 'failed'`)} as failed, ${tally(sql`status = 'paused'`)} as paused,
             ${tally(sql`status = 'failed' and retryable`)} as awaiting_retry, ${tally(sql`held`)} as held
      from contact_tally where campaign_id = c.id) as t
    where c.id = any(${ids(campaignIds)}) and c.deleted_at is null`);
}

function tally(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce(sum(delta) filter (where ${condition}), 0)`;
}
